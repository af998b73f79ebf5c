import { expect, test } from "vitest";
import { isUsableAt, getPasskeyHost } from "./passkey-host";

test.each([
  ["http://localhost:4100", "localhost"],
  ["http://desk.localhost", "desk.localhost"],
  ["https://countersign.example", "countersign.example"],
  ["https://desk.countersign.example:8443", "desk.countersign.example"],
])("pages of %s have passkeys for %s", (origin, rpId) => {
  expect(getPasskeyHost(origin)).toEqual({ ok: true, rpId });
});

test.each([
  ["http://127.0.0.1:4100", /localhost:4100/],
  ["http://[::1]:4100", /localhost:4100/],
  ["https://10.0.0.1", /don't work at 10/],
  ["http://countersign.example", /need https/],
  ["null", /can't be used at this page's address/],
  ["http://localhost/page", /can't be used at this page's address/],
])("pages of %s have none, with a reason", (origin, why) => {
  const host = getPasskeyHost(origin);
  expect(host.ok ? "" : host.why).toMatch(why);
});

test("a passkey works at its domain and below, nowhere else", () => {
  expect([isUsableAt("a.example", "a.example"), isUsableAt("a.example", "b.a.example"), isUsableAt("a.example", "ba.example")]).toEqual([
    true,
    true,
    false,
  ]);
});
