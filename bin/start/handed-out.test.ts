import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { inTemporaryFolder, readDrill } from "@/bin/testing";
import { passwordsOf, writeUrls } from "./database-file.ts";
import { handOut } from "./hand-out.ts";
import { ensureHome } from "./home.ts";

const block = readDrill("hand-out");

test("copying folders as the guide says replaces earlier copies, also after a key rotation", () =>
  inTemporaryFolder((folder) => {
    const home = path.join(folder, "set-up");
    ensureHome(home);
    const urls = writeUrls(home, "postgresql://admin:secret@db.example:5432/countersign", passwordsOf(home));
    for (const machine of ["web", "runner"]) fs.mkdirSync(path.join(folder, machine, "countersign"), { recursive: true });
    // Another machine is a folder; `cp` replaces `scp`.
    const lines = `scp() { cp "$@"; }\n${block.replaceAll(/countersign@(?<machine>web|runner):/gu, "$<machine>/")}`;
    const key = (place: string, name: string) => fs.readFileSync(path.join(folder, place, "keys", name), "utf8");

    for (const signing of ["the first key\n", "the key after a rotation\n"]) {
      fs.writeFileSync(path.join(home, "keys", "signing.key"), signing);
      handOut(home, urls, "web", path.join(folder, "to-web"));
      handOut(home, urls, "runner", path.join(folder, "to-runner"));
      execFileSync("bash", ["-euc", lines], { cwd: folder });

      expect(key("runner/countersign/.countersign", "signing.key")).toBe(signing);
      expect(key("web/countersign/.countersign", "session.key")).toBe(key("set-up", "session.key"));
      expect(fs.statSync(path.join(folder, "runner/countersign/.countersign/keys/signing.key")).mode & 0o777).toBe(0o600);
      expect(fs.readdirSync(path.join(folder, "runner/countersign/.countersign"))).not.toContain("to-runner");
    }
  }));
