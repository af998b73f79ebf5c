import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { ensureLinks } from "./links.ts";

test("creates links that npm without install scripts left out, and keeps existing ones", () =>
  inTemporaryFolder((folder) => {
    const native = path.join(folder, "native");
    const lib = path.join(native, "lib");

    fs.mkdirSync(lib, { recursive: true });
    fs.writeFileSync(path.join(lib, "liba.so.1.2"), "a");
    fs.writeFileSync(
      path.join(native, "pg-symlinks.json"),
      JSON.stringify([{ source: "native/lib/liba.so.1.2", target: "native/lib/liba.so.1" }]),
    );
    ensureLinks(native);
    ensureLinks(native);
    expect(fs.readlinkSync(path.join(lib, "liba.so.1"))).toBe("liba.so.1.2");
    expect(fs.readFileSync(path.join(lib, "liba.so.1"), "utf8")).toBe("a");
  }));
