import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { passwordsOf, readHeldUrls, writeUrls } from "./database-file.ts";
import { StartFailure } from "./failure.ts";
import { handOut, heldBy } from "./hand-out.ts";
import { ensureHome } from "./home.ts";

const ADMIN = "postgresql://admin:secret@db.example:5432/countersign";

const filesIn = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted();

test("gives web and runner only their own keys and connections, in owner-only files", () =>
  inTemporaryFolder((folder) => {
    const [home, web, runner] = [path.join(folder, "set-up"), path.join(folder, "web"), path.join(folder, "runner")];
    ensureHome(home);
    const urls = writeUrls(home, ADMIN, passwordsOf(home));
    handOut(home, urls, "web", web);
    handOut(home, urls, "runner", runner);

    expect(filesIn(web)).toEqual(["database.json", "keys/session.key", "keys/trust-anchor.json", "keys/vault.key"]);
    expect(filesIn(runner)).toEqual(["database.json", "keys/push.key", "keys/signing.key", "keys/trust-anchor.json", "keys/vault.key"]);
    expect(readHeldUrls(web)).toEqual({ web: urls.web });
    expect(readHeldUrls(runner)).toEqual({ runner: urls.runner, customers: urls.customers });
    for (const place of [web, runner]) {
      for (const file of filesIn(place)) {
        expect(fs.statSync(path.join(place, file)).mode & 0o777).toBe(file.endsWith("trust-anchor.json") ? 0o644 : 0o600);
      }
      expect(fs.readFileSync(path.join(place, "keys/trust-anchor.json"))).toEqual(
        fs.readFileSync(path.join(home, "keys/trust-anchor.json")),
      );
    }
    expect(heldBy(web, "web")).toEqual({ web: urls.web });
    expect(() => heldBy(web, "runner")).toThrow(StartFailure);
    expect(() => heldBy(runner, "web")).toThrow(/session\.key/u);
    fs.rmSync(path.join(runner, "keys/push.key"));
    expect(heldBy(runner, "runner")).toEqual({ runner: urls.runner, customers: urls.customers });
  }));
