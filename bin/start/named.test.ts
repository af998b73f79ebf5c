/** The docs name existing scripts, variables and settings. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { inTemporaryFolder, readGuide } from "@/bin/testing";
import { ensureHome } from "./home.ts";
import { runnerEnv, webEnv } from "./processes.ts";
import { readSettings, ROOT } from "./settings.ts";

const read = (name: string): string => fs.readFileSync(path.join(ROOT, name), "utf8");
const TEXTS = { "README.md": read("README.md"), "docs/operating": readGuide() };

afterEach(() => vi.unstubAllEnvs());

describe.each(Object.entries(TEXTS))("%s", (_, text) => {
  test("names only npm scripts in package.json", () => {
    const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read("package.json")));
    const named = [...text.matchAll(/\bnpm (?:run (?<run>[\w:-]+)|(?<own>start|test)\b)/gu)].map(
      ({ groups }) => groups?.["run"] ?? groups?.["own"],
    );

    expect(named).toContain("start");
    expect(named.filter((script) => script === undefined || !Object.hasOwn(scripts, script))).toEqual([]);
  });

  test("names only environment variables that the product or its dependencies read", () => {
    const named = [...new Set(text.match(/\b[A-Z]+(?:_[A-Z]+)*_(?:[A-Z]+\b|\*)|\b(?:PORT|HOST)\b/gu))];

    expect(named).toContain("DATABASE_URL");
    expect(named.filter((variable) => !isRead(variable))).toEqual([]);
  });
});

/** Read by the process, or by its start. */
const ours = new Set(
  [
    ...read("server/env.ts").matchAll(/^ {2}(?<name>[A-Z_]+): /gmu),
    ...read("bin/start/settings.ts").matchAll(/given\("(?<name>[A-Z_]+)"\)/gu),
    ...read("server/cli/mcp.ts").matchAll(/ \?\? "(?<name>COUNTERSIGN_[A-Z_]+)"/gu),
    ...read("compose.yaml").matchAll(/\$\{(?<name>[A-Z_]+):-/gu),
  ].flatMap(({ groups }) => groups?.["name"] ?? []),
);

test("the guide lists exactly the commands of the command line", () => {
  const table = readGuide("command-line").split("\n## ")[0] ?? "";
  const told = [...table.matchAll(/(?:^\| |, )`(?<name>[a-z-]+)\b/gmu)].flatMap(({ groups }) => groups?.["name"] ?? []);
  const there = [...read("server/cli/main.ts").matchAll(/^ {2}"?(?<name>[a-z-]+)"?: async \(\) =>/gmu)].flatMap(
    ({ groups }) => groups?.["name"] ?? [],
  );

  expect(there).toContain("verify");
  expect([...new Set(told)].toSorted()).toEqual(there.toSorted());
});

/** Dependencies'; the last three belong to the guide's commands. */
const OTHERS = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "NODE_EXTRA_CA_CERTS",
  "OTEL_*",
  "ON_ERROR_STOP",
  "ROLES_URL",
  "COUNTERSIGN_PUBLIC_KEYS",
  "MEMORY_FILE_PATH",
];

const isRead = (variable: string): boolean =>
  OTHERS.includes(variable) ||
  (variable.endsWith("*") ? [...ours].some((name) => name.startsWith(variable.slice(0, -1))) : ours.has(variable));

const rows = (readGuide("install").split("## Settings")[1]?.split("\n## ")[0] ?? "").split("\n").flatMap((line) => {
  const [, variables = "", processes = ""] = line.split("|");

  return [...variables.matchAll(/`(?<name>[A-Z_]+)`/gu)].map(({ groups }) => ({
    variable: groups?.["name"] ?? "",
    processes: processes.trim() === "all" ? ["web", "runner"] : processes.split(",").map((process) => process.trim()),
  }));
});

/** Computed for each process. */
const DERIVED = ["COUNTERSIGN_HOME", "DATABASE_URL", "NEXTAUTH_URL", "PORT", "HOST"];

describe("the guide's settings", () => {
  test("include every variable that the processes read, except those set at start", () => {
    const handed = [
      "NEXTAUTH_SECRET",
      "COUNTERSIGN_LOOPBACK",
      "COUNTERSIGN_CUSTOMERS_URL",
      "COUNTERSIGN_TRUST_ANCHOR",
      "COUNTERSIGN_JOIN",
      "NODE_ENV",
    ];
    const elsewhere = ["COUNTERSIGN_URL", "COUNTERSIGN_TOKEN"];
    const told = new Set([...rows.map(({ variable }) => variable), ...handed, ...elsewhere]);

    expect([...ours].filter((variable) => !told.has(variable) && !variable.startsWith("OTEL_"))).toEqual([]);
  });

  test.each(rows.filter(({ variable }) => !DERIVED.includes(variable)))("$variable reaches only $processes", ({ variable, processes }) =>
    inTemporaryFolder((home) => {
      ensureHome(home);
      vi.stubEnv(variable, "given");
      const settings = { ...readSettings(), home };
      const getting = { web: webEnv(settings, {}), runner: runnerEnv(settings, {}) };
      const got = Object.entries(getting).flatMap(([process, env]) => (env[variable] === "given" ? [process] : []));

      expect(got).toEqual(["web", "runner"].filter((process) => processes.includes(process)));
    }),
  );
});
