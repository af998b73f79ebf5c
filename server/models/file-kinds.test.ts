import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { countFileTokens, isReadable } from "./file-kinds";

const pdf = (pages: number, more = ""): Buffer => Buffer.from(`%PDF-1.7\n${"<< /Type /Page >>\n".repeat(pages)}<< /Type /Pages >>${more}`);

test("reserves by pages, by bytes of a text, and one amount for an image", () => {
  expect(countFileTokens("application/pdf", pdf(3))).toBe(18_000);
  expect(countFileTokens("text/csv", Buffer.from("a,b"))).toBe(3);
  expect(countFileTokens("image/png", Buffer.alloc(1_000_000))).toBe(5_000);
});

const compressed = (objects: string): Buffer =>
  Buffer.concat([
    Buffer.from("%PDF-1.7\n1 0 obj << /Type /ObjStm /N 9 >>\nstream\n"),
    deflateSync(objects),
    Buffer.from("\nendstream endobj"),
  ]);

test("counts the pages of compressed objects", () => {
  expect(countFileTokens("application/pdf", compressed("<< /Type /Page >> << /Type/Page /X 1 >> << /Type /Pages >>"))).toBe(12_000);
});

test("reserves the most pages for a document that hides or exaggerates its pages", () => {
  const bomb = compressed(`<< /Type /Page >>${" ".repeat(5_000_000)}`);
  for (const document of [pdf(0), pdf(1, "/ObjStm"), pdf(5_000), bomb]) expect(countFileTokens("application/pdf", document)).toBe(600_000);
});

test("leaves archives and pages to tools", () => {
  for (const type of ["application/zip", "application/octet-stream", "text/html", "image/svg+xml"]) expect(isReadable(type)).toBe(false);
});
