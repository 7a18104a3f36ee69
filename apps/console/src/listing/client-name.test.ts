import { expect, it } from "vitest";
import { clientOf, nameWithClient } from "./client-name.js";

it("[C-14.810] what belongs to a client is named by the client's name first, else by the reference, else by itself", () => {
  expect(nameWithClient({ client_ref: "M-17", client_name: "Meier" }, "Banco Ejemplo")).toBe("Meier · Banco Ejemplo");
  expect(nameWithClient({ client_ref: "M-17", client_name: null }, "Banco Ejemplo")).toBe("M-17 · Banco Ejemplo");
  expect(nameWithClient({ client_ref: null, client_name: null }, "Banco Ejemplo")).toBe("Banco Ejemplo");
  expect(clientOf({})).toBe("");
});
