import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../start/settings.ts";
import { verifierHtml } from "./build.ts";

test("builds the same bytes from the same sources in any folder", async () => {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-verifier-"));
  for (const name of ["components/verifier", "lib"]) fs.cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
  for (const name of ["tsconfig.json", "package.json"]) fs.copyFileSync(path.join(ROOT, name), path.join(copy, name));
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"), "junction");

  expect(await verifierHtml(copy)).toBe(await verifierHtml(ROOT));
  fs.rmSync(copy, { recursive: true, force: true });
});

test("the page allows only its own script and style, by hash, and names no address", async () => {
  const html = await verifierHtml(ROOT);
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/u.exec(html)?.[1] ?? "";
  const [, script = ""] = /<script>([\s\S]*?)<\/script>/u.exec(html) ?? [];
  const hash = createHash("sha256").update(script).digest("base64");

  expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$/u);
  expect(policy).toContain(hash);
  expect(html.match(/<script/gu)).toHaveLength(1);
  expect(html).not.toMatch(/<(?:link|img|iframe)|\ssrc=/u);
  expect(html).not.toContain(ROOT);
});
