import { expect, it } from "vitest";
import { addressPrefix } from "./address-prefix.js";

it.each([
  ["203.0.113.7", "203.0.113.0/24"],
  ["203.0.113.255", "203.0.113.0/24"],
  ["::ffff:203.0.113.7", "203.0.113.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["1::", "1:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ["", "unknown"],
  ["unix:", "unknown"],
  ["300.1.1.1", "unknown"],
])("[C-9.13] guesses from %j are counted for %s", (address, prefix) => {
  expect(addressPrefix(address)).toBe(prefix);
});
