import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.js";

const smtp = (SMTP_URL: string, MAIL_FROM = "letters@connect.example") => readConfig({ SMTP_URL, MAIL_FROM }).smtp;

describe("[C-1.19] outgoing mail", () => {
  it("is off unless it is configured", () => {
    expect(readConfig({}).smtp).toBeNull();
    expect(readConfig({ MAIL_FROM: "a@b.example" }).smtp).toBeNull();
  });

  it.each([
    ["smtp://mail.example", { host: "mail.example", port: 587, tls: "starttls", user: null, password: null }],
    ["smtp://mail.example:25?tls=off", { host: "mail.example", port: 25, tls: "off" }],
    ["smtp://localhost:1025", { host: "localhost", port: 1025, tls: "off" }],
    ["smtp://[::1]:1025", { host: "::1", port: 1025, tls: "off" }],
    ["smtps://us:p%40ss%2Fword@mail.example", { port: 465, tls: "implicit", user: "us", password: "p@ss/word" }],
  ])("%s", (url, expected) => {
    expect(smtp(url)).toMatchObject(expected);
  });

  it.each([
    ["a@b.example", { name: "", address: "a@b.example" }],
    ["Wealth Connect <a@b.example>", { name: "Wealth Connect", address: "a@b.example" }],
    ['"Letters, Inc." <a@b.example>', { name: "Letters, Inc.", address: "a@b.example" }],
  ])("comes from %s", (sender, from) => {
    expect(smtp("smtp://mail.example", sender)?.from).toEqual(from);
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ SMTP_URL: "smtp://mail.example" }, /MAIL_FROM: is required/],
    [{ SMTP_URL: "http://mail.example", MAIL_FROM: "a@b.example" }, /SMTP_URL: must be smtp/],
    [{ SMTP_URL: "smtp://mail.example/path", MAIL_FROM: "a@b.example" }, /SMTP_URL/],
    [{ SMTP_URL: "smtp://mail.example?tls=maybe", MAIL_FROM: "a@b.example" }, /SMTP_URL/],
    [{ SMTP_URL: "smtps://mail.example?tls=off", MAIL_FROM: "a@b.example" }, /SMTP_URL/],
    [{ SMTP_URL: "smtp://us:%E0%A4%A@mail.example", MAIL_FROM: "a@b.example" }, /SMTP_URL/],
    [{ SMTP_URL: "smtp://mail.example", MAIL_FROM: "nobody" }, /MAIL_FROM: must be/],
    [{ SMTP_URL: "smtp://mail.example", MAIL_FROM: "A\u0000 <a@b.example>" }, /MAIL_FROM: must be/],
  ])("%j is refused", (environment, problem) => {
    expect(() => readConfig(environment)).toThrow(ConfigError);
    expect(() => readConfig(environment)).toThrow(problem);
  });
});
