import { expect, test } from "vitest";
import { parseSmtpUrl } from "./smtp-url";

test.each([
  ["smtps://user:p%40ss@mail.example.com", { host: "mail.example.com", port: 465, tls: "implicit", user: "user", password: "p@ss" }],
  ["smtp://mail.example.com", { host: "mail.example.com", port: 587, tls: "starttls", user: null, password: null }],
  ["smtp://127.0.0.1:1025?tls=off", { host: "127.0.0.1", port: 1_025, tls: "off", user: null, password: null }],
  ["smtps://[::1]:2465", { host: "::1", port: 2_465, tls: "implicit", user: null, password: null }],
])("%s is a server", (text, server) => {
  expect(parseSmtpUrl(text)).toEqual({ ok: true, value: server });
});

test.each([
  "https://mail.example.com",
  "mail.example.com:25",
  "smtp://mail.example.com/inbox",
  "smtp://mail.example.com?tls=on",
  "smtps://mail.example.com?tls=off",
  // A password would be sent in plain text.
  "smtp://user:secret@mail.example.com?tls=off",
  "smtp://us%er@mail.example.com",
  "smtp://",
])("%s is refused", (text) => {
  expect(parseSmtpUrl(text).ok).toBe(false);
});
