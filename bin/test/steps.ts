import path from "node:path";

export type Step = {
  readonly label: string;
  /** In node_modules/.bin, or a path. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly report?: { readonly kind: "vitest" | "playwright"; readonly file: string };
};

/** Steps that run at the same time. */
export type Stage = readonly Step[];

type Project = "unit" | "processes" | "programs" | "db";

const vitest = (projects: readonly Project[], label: string, folder: string): Step => {
  const file = path.join(folder, `${projects.join("-")}.json`);

  return {
    label,
    program: "vitest",
    args: [
      "run",
      ...projects.flatMap((project) => ["--project", project]),
      "--reporter=dot",
      "--reporter=json",
      "--reporter=./bin/test/second-attempts.ts",
      `--outputFile.json=${file}`,
    ],
    report: { kind: "vitest", file },
  };
};

/** Go programs then take a fifth less CPU time. */
const RARE_COLLECTIONS = { GOGC: "400" };

export const checkStages = (folder: string): readonly Stage[] => [
  [
    { label: "format", program: "oxfmt", args: ["--check"] },
    { label: "route types", program: "next", args: ["typegen"] },
  ],
  // Dead code and prose use one processor.
  [
    { label: "lint and layers", program: "oxlint", args: [], env: RARE_COLLECTIONS },
    { label: "types", program: "tsc", args: ["--noEmit"], env: RARE_COLLECTIONS },
    { label: "dead code", program: "knip", args: [] },
    { label: "prose", program: "node", args: ["bin/prose/main.ts"] },
  ],
  [vitest(["unit"], "unit and property tests", folder)],
];

/** Lists what `npm test` runs. @param folder for reports and state */
export const testStages = (folder: string, chromium: string): readonly Stage[] => {
  const report = path.join(folder, "playwright.json");

  return [
    ...checkStages(folder),
    [vitest(["processes", "programs"], "processes, programs and campaigns", folder)],
    [
      vitest(["db"], "tests on a real Postgres", folder),
      { label: "build", program: "node", args: ["bin/test/build.ts", folder, "--background"] },
    ],
    [
      {
        label: "the product in a browser",
        program: "playwright",
        args: ["test", "--config", "e2e/playwright.config.ts", "--reporter=list,json,./bin/test/second-attempts.ts"],
        env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, COUNTERSIGN_CHROMIUM: chromium, COUNTERSIGN_E2E_HOME: path.join(folder, "state") },
        report: { kind: "playwright", file: report },
      },
    ],
  ];
};
