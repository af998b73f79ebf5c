import { expect, it } from "vitest";
import { getRedirectPlace, isRedirectUri, matchesRedirectUri } from "./redirect-uri";

it.each(["https://client.test/callback", "http://127.0.0.1:8000/callback", "com.example.app:/callback", "app.example-2.io:/a?b=c"])(
  "accepts %s",
  (uri) => {
    expect(isRedirectUri(uri)).toBe(true);
    expect(matchesRedirectUri(uri, uri)).toBe(true);
  },
);

it.each([
  "http://client.test/",
  "cursor:/callback",
  "cursor://callback",
  "com.example.app://evil.test/callback",
  "com.example.app:callback",
  "com.example.app:/callback#a",
  "com.example.app:/a/../b",
  "Com.example.app:/callback",
  "com.example.app:",
  "com..app:/callback",
  ".app:/callback",
  "javascript:/callback",
  `com.example.app:/${"a".repeat(300)}`,
])("refuses %s", (uri) => expect(isRedirectUri(uri)).toBe(false));

it("compares an application's address as it is, without another port or path", () => {
  expect(matchesRedirectUri("com.example.app:/callback", "com.example.app:/callback/")).toBe(false);
  expect(matchesRedirectUri("com.example.app:/callback", "com.example.other:/callback")).toBe(false);
  expect(matchesRedirectUri("http://127.0.0.1:1/callback", "http://127.0.0.1:2/callback")).toBe(true);
});

it("names the host, or the scheme of an application", () => {
  expect(["https://client.test/a", "com.example.app:/a"].map(getRedirectPlace)).toEqual(["client.test", "com.example.app"]);
});
