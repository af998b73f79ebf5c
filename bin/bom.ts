/** CycloneDX bill of materials of production dependencies. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";

const bomSchema = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ "bom-ref": z.string(), name: z.string() }) }),
  components: z.array(z.looseObject({ "bom-ref": z.string(), properties: z.array(z.object({ name: z.string(), value: z.string() })) })),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

type Bom = z.infer<typeof bomSchema>;

/** Removes development packages; npm's `--omit dev` removes shared ones too. */
export const productionOnly = (bom: Bom): Bom => {
  const components = bom.components.filter(({ properties }) => !properties.some(({ name }) => name === "cdx:npm:package:development"));
  const refs = new Set([bom.metadata.component["bom-ref"], ...components.map((component) => component["bom-ref"])]);

  return {
    ...bom,
    components,
    dependencies: bom.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((dependency) => refs.has(dependency)) })),
  };
};

/** Nothing has to be installed. */
export const makeBom = (root: string): Bom => {
  const json = execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    // Windows needs a shell; the arguments are constants.
    shell: process.platform === "win32",
  });
  const bom = productionOnly(bomSchema.parse(JSON.parse(json)));
  const { name } = z.object({ name: z.string() }).parse(JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")));

  // Named after the folder.
  return { ...bom, metadata: { ...bom.metadata, component: { ...bom.metadata.component, name } } };
};
