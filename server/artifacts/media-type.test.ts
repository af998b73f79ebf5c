import { expect, test } from "vitest";
import { sniffMediaType } from "./media-type";

const latin = (text: string): Uint8Array => Buffer.from(text, "latin1");

test.each([
  ["\u0089PNG\r\n\u001a\n....", "a.pdf", "image/png"],
  ["\u00ff\u00d8\u00ff\u00e0", "a.png", "image/jpeg"],
  ["RIFF\u0000\u0000\u0000\u0000WEBPVP8 ", "a", "image/webp"],
  ["GIF89a", "a.exe", "image/gif"],
  ["%PDF-1.7", "a.png", "application/pdf"],
  ["PK\u0003\u0004", "a.docx", "application/zip"],
  ["a,b\n1,2\n", "a.csv", "text/csv"],
  ["{}", "a.JSON", "application/json"],
  ["hello", "a", "text/plain"],
  ["\u0000\u0001\u0002", "a.txt", "application/octet-stream"],
])("takes %j named %s for %s", (bytes, name, type) => {
  expect(sniffMediaType(latin(bytes), name)).toBe(type);
});

test.each([
  ["a script in a page", "<!doctype html><script>alert(1)</script>", "page.html"],
  ["a script in a drawing", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', "logo.svg"],
  ["a page that claims to be an image", "<html>", "photo.png"],
])("never takes %s for something that a browser renders", (_, text, name) => {
  expect(sniffMediaType(Buffer.from(text), name)).toBe("text/plain");
});

test("takes a picture with a page behind it for a picture", () => {
  expect(sniffMediaType(latin("GIF89a<script>alert(1)</script>"), "a.html")).toBe("image/gif");
});

test("takes a text that is cut within a character for a text", () => {
  expect(sniffMediaType(Buffer.from("Größe").subarray(0, 3), "a")).toBe("text/plain");
});
