import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { makeBom, productionOnly } from "./bom.ts";
import { ROOT } from "./start/settings.ts";

/** `npm sbom` came with npm 10. */
const hasSbom = Number.parseInt(execFileSync("npm", ["--version"], { encoding: "utf8", shell: process.platform === "win32" }), 10) >= 10;

const component = (ref: string, properties: readonly string[] = []) => ({
  "bom-ref": ref,
  properties: properties.map((name) => ({ name, value: "true" })),
});

test("removes development packages and every edge to them", () => {
  const bom = productionOnly({
    metadata: { component: { "bom-ref": "app@1", name: "app" } },
    components: [component("a@1"), component("b@1"), component("dev@1", ["cdx:npm:package:development"])],
    dependencies: [
      { ref: "app@1", dependsOn: ["a@1", "dev@1"] },
      { ref: "a@1", dependsOn: [] },
      { ref: "dev@1", dependsOn: ["b@1"] },
      { ref: "b@1", dependsOn: [] },
    ],
  });

  expect(bom.components.map((left) => left["bom-ref"])).toEqual(["a@1", "b@1"]);
  expect(bom.dependencies).toEqual([
    { ref: "app@1", dependsOn: ["a@1"] },
    { ref: "a@1", dependsOn: [] },
    { ref: "b@1", dependsOn: [] },
  ]);
});

test.runIf(hasSbom)("lists shared packages but none that only development needs", () => {
  const bom = makeBom(ROOT);
  const names = new Set(bom.components.map(({ name }) => name));

  expect(bom).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name: "countersign", type: "application" } } });
  expect(["react", "zod", "pg", "yaml"].filter((name) => !names.has(name))).toEqual([]);
  expect(["vitest", "oxlint", "knip"].filter((name) => names.has(name))).toEqual([]);
});
