import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { ROOT } from "@/bin/start/settings";
import { secondAttempts } from "./second-attempts.ts";

const reporter = path.join(ROOT, "bin", "test", "second-attempts.ts");

const TESTS = `
  test("hesitates", () => {
    const marker = new URL("attempted", import.meta.url);
    const isFirst = !fs.existsSync(marker);
    fs.writeFileSync(marker, "");
    if (isFirst) throw new Error("not yet");
  });
  test("does not", () => undefined);
`;

const wordsOf = (program: string, args: readonly string[], folder: string): string => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [path.join(ROOT, "node_modules", program), ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  if (status !== 0) throw new Error(stdout + stderr);

  return stdout;
};

test("names only the vitest tests that pass at the second attempt", async () => {
  const words = await inTemporaryFolder((folder) => {
    fs.writeFileSync(path.join(folder, "once.test.mjs"), `import fs from "node:fs";\n${TESTS}`);

    return wordsOf(
      "vitest/vitest.mjs",
      ["run", "--root", folder, "--globals", "--retry=1", "--reporter=dot", `--reporter=${reporter}`],
      folder,
    );
  });

  expect(secondAttempts(words)).toEqual(["passed at the second attempt: hesitates"]);
});

test("names only the Playwright tests that pass at the second attempt", async () => {
  const words = await inTemporaryFolder((folder) => {
    const library = path.join(ROOT, "node_modules", "@playwright", "test", "index.mjs");
    fs.writeFileSync(
      path.join(folder, "once.spec.mjs"),
      `import fs from "node:fs";\nimport { test } from ${JSON.stringify(library)};\n${TESTS}`,
    );

    return wordsOf("@playwright/test/cli.js", ["test", "--retries=1", "--workers=1", `--reporter=list,${reporter}`], folder);
  });

  expect(secondAttempts(words)).toEqual(["passed at the second attempt: once.spec.mjs › hesitates"]);
});
