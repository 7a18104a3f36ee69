import { expect, it } from "vitest";
import { domainOf } from "./hosts.js";

it.each([
  ["https://www.Chase.com/personal?x=1", "chase.com"],
  ["http://online.bank.example:8443", "online.bank.example"],
  ["https://bank.xn--p1ai/", "bank.xn--p1ai"],
  ["https://Bücher-bank.example", "xn--bcher-bank-9db.example"],
  ["https://www.bank.example.", null],
  ["https://my_bank.example", null],
  ["https://-bank.example", null],
  ["https://192.0.2.7/login", null],
  ["https://[2001:db8::1]/", null],
  ["https://localhost/", null],
  [`https://${"a".repeat(60)}.${"b.".repeat(100)}example`, null],
  ["ftp://bank.example", null],
  ["bank.example", null],
  ["", null],
  [null, null],
])("[C-5.277] the domain of the website %s is %s", (website, domain) => expect(domainOf(website)).toBe(domain));
