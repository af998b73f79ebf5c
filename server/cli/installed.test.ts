import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { deliver } from "./installed";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "deliver-"));
const host = { out: async () => undefined, err: async () => undefined };

afterAll(() => fs.rmSync(folder, { recursive: true }));

test("what a command writes to a file is for its owner alone, also where a file that others can read was before", async () => {
  const [fresh, known] = [path.join(folder, "fresh.json"), path.join(folder, "known.json")];
  fs.writeFileSync(known, "something that is longer than what comes", { mode: 0o644 });
  fs.chmodSync(known, 0o644);
  for (const file of [fresh, known]) {
    await deliver(host, "every value\n", file, "");

    expect(fs.readFileSync(file, "utf8")).toBe("every value\n");
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  }
});

test("a place where no file can be is said to be that", async () => {
  await expect(deliver(host, "text", path.join(folder, "nowhere", "file"), "")).rejects.toThrow("cannot write");
});
