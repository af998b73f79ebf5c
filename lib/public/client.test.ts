import { expect, test } from "vitest";
import { createClient } from "@/lib/public/client";

const build = (url: string) => () => createClient({ url, token: "cs_secret" });

test.each([
  "https://countersign.example.com",
  "https://countersign.example.com/",
  "http://localhost:3000",
  "http://127.0.0.1:3000",
  "http://[::1]:3000",
])("%s may get the token", (url) => {
  expect(build(url)).not.toThrow();
});

test.each([
  "http://countersign.example.com",
  "http://localhost.example.com",
  "http://127.0.0.1.example.com",
  "ftp://localhost",
  "countersign",
])("%s never gets the token", (url) => {
  expect(build(url)).toThrow(TypeError);
});
