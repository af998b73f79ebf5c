import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { isGenerated } from "./client.mjs";
import { isInstalled } from "./install.mjs";
import { isGood, nodeProblem } from "./node-version.mjs";
import { inTemporaryFolder, runStart } from "@/bin/testing";

describe("the running Node", () => {
  test.each(["14.21.3", "18.20.8", "19.9.0"])("%s is too old to install", (version) => {
    expect(nodeProblem(version)).toMatch(/^Node .* is too old: install Node 20 or newer/u);
  });

  test.each(["20.0.0", "20.20.2", "22.18.0"])("%s installs and hands over to a newer one", (version) => {
    expect(nodeProblem(version)).toBeNull();
    expect(isGood(version)).toBe(false);
  });

  test.each(["22.19.0", "24.0.0", "26.1.0"])("%s runs everything", (version) => {
    expect(isGood(version)).toBe(true);
  });

  test("npm start reports an old Node in one sentence", async () => {
    const pretend = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"18.20.8"})';
    const { code, stdout, stderr } = await runStart({}, ["--import", pretend]).finished;

    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: "",
      stderr: "Countersign cannot start: Node 18.20.8 is too old: install Node 20 or newer from https://nodejs.org and try again.\n",
    });
  });
});

describe("installed packages", () => {
  const lock = (packages: object): string => JSON.stringify({ packages: { "": { name: "x" }, ...packages } });
  const check = (wanted: object, found: object | null): Promise<boolean> =>
    inTemporaryFolder((root) => {
      fs.mkdirSync(path.join(root, "node_modules"));
      fs.writeFileSync(path.join(root, "package-lock.json"), lock(wanted));
      if (found !== null) fs.writeFileSync(path.join(root, "node_modules", ".package-lock.json"), lock(found));

      return isInstalled(root);
    });
  const one = { "node_modules/a": { version: "1.0.0" } };

  test("are complete when every version in the lockfile is installed", async () => {
    expect(await check(one, one)).toBe(true);
  });

  test("may lack an optional package of another platform", async () => {
    expect(await check({ ...one, "node_modules/b": { version: "1.0.0", optional: true } }, one)).toBe(true);
  });

  test("are incomplete when a package is missing or has another version", async () => {
    expect(await check(one, null)).toBe(false);
    expect(await check(one, {})).toBe(false);
    expect(await check(one, { "node_modules/a": { version: "1.0.1" } })).toBe(false);
  });
});

describe("the database client", () => {
  const check = (clientAgeS: number | null): Promise<boolean> =>
    inTemporaryFolder((root) => {
      const files = {
        schema: path.join(root, "prisma", "schema.prisma"),
        client: path.join(root, "server", "db", "generated", "client.ts"),
      };

      for (const [file, ageS] of [[files.schema, 10] as const, [files.client, clientAgeS] as const]) {
        if (ageS === null) continue;
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, "");
        fs.utimesSync(file, Date.now() / 1_000 - ageS, Date.now() / 1_000 - ageS);
      }

      return isGenerated(root);
    });

  test("is regenerated when it is missing or older than the schema", async () => {
    expect(await check(5)).toBe(true);
    expect(await check(20)).toBe(false);
    expect(await check(null)).toBe(false);
  });
});
