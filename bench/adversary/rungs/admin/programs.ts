import fs from "node:fs";
import path from "node:path";
import { env as ownEnvironment } from "node:process";
import type { Attack } from "@/bench/adversary/rungs/attack";
import { reportOutcome } from "@/bench/adversary/rungs/report-outcome";
import type { World } from "@/bench/adversary/rungs/world";
import { installPackage } from "@/server/mcp/programs/install";
import { removeProgram } from "@/server/mcp/programs/offer";
import { startNpmRegistry } from "@/server/mcp/testing/npm-registry";
import { addAndInspect, askRegistry, keepSecret, offerProbe, readServerState, reviewProbe, tryTool, type Probe } from "./world";

const useProbe = async (world: World): Promise<Probe> => {
  const probe = await offerProbe(world);
  await keepSecret(world, world.desk.workspace, "probe-key", "an honest secret");
  await addAndInspect(world, probe.manifest());
  if (probe.starts().length === 0) throw new Error("an honest admin could not start the probe");
  await reviewProbe(world);

  return probe;
};

const addProbe = async (world: World): Promise<Probe> => {
  const probe = await offerProbe(world);
  await keepSecret(world, world.desk.workspace, "probe-key", "an honest secret");
  const transport = { type: "stdio", manifest: probe.manifest() };
  const outcome = await askRegistry(world, { type: "add", id: "probe", name: "probe", transport });
  if (!outcome.ok) throw new Error(`the probe was not added: ${outcome.message}`);

  return probe;
};

const anchorText = ({ desk }: World): string => fs.readFileSync(path.join(desk.installation.home, "keys", "trust-anchor.json"), "utf8");

const markerIn = ({ folder }: Probe): string => path.join(folder, "marker");

export const PROGRAM_ATTACKS: readonly Attack[] = [
  {
    name: "register a command",
    why: "Name a command line in the transport of a server.",
    run: async (world) => {
      const probe = await offerProbe(world);
      const args = ["-e", `fs.writeFileSync(${JSON.stringify(markerIn(probe))}, "")`];
      for (const manifest of [
        { command: process.execPath, args },
        { ...probe.manifest(), command: process.execPath, args },
        { source: "file", path: process.execPath, args },
      ])
        await addAndInspect(world, manifest);

      return reportOutcome(world, fs.existsSync(markerIn(probe)) || probe.starts().length > 0);
    },
  },
  {
    name: "register a package",
    why: "Name the filesystem server with the root of the machine as its argument.",
    run: async (world) => {
      const filesystem = { source: "package", name: "@modelcontextprotocol/server-filesystem", version: "2026.8.31" };
      await addAndInspect(world, { ...filesystem, bin: "mcp-server-filesystem", args: ["/"] });

      return reportOutcome(world, (await readServerState(world, "probe")) !== null);
    },
  },
  {
    name: "register the application's own command",
    why: "Name bin/countersign.mjs with keys rotate-signing as a server.",
    run: async (world) => {
      const before = anchorText(world);
      const file = path.resolve("bin/countersign.mjs");
      await addAndInspect(world, { source: "file", path: file, args: ["keys", "rotate-signing"] });
      await addAndInspect(world, { program: "countersign", digest: "0".repeat(64), values: {} });

      return reportOutcome(world, anchorText(world) !== before);
    },
  },
  {
    name: "start by adding",
    why: "Add a server so that its program starts before anybody confirmed its digest.",
    run: async (world) => {
      const probe = await addProbe(world);

      return reportOutcome(world, probe.starts().length > 0);
    },
  },
  {
    name: "start by reviewing",
    why: "Have a program start by pinning, activating, resuming or changing a server that was not inspected.",
    run: async (world) => {
      const probe = await addProbe(world);
      const transport = { type: "stdio", manifest: probe.manifest() };
      for (const step of [
        { type: "pin", expect: {} },
        { type: "activate" },
        { type: "resume" },
        { type: "suspend" },
        { type: "set_transport", transport },
      ])
        await askRegistry(world, { ...step, id: "probe", revision: (await readServerState(world, "probe"))?.revision ?? 1 });

      return reportOutcome(world, probe.starts().length > 0);
    },
  },
  {
    name: "inspect another revision",
    why: "Have an admin's confirmation of one digest start what the server was changed to since then.",
    run: async (world) => {
      const probe = await addProbe(world);
      const transport = { type: "stdio", manifest: probe.manifest({ mode: "rw" }) };
      await askRegistry(world, { type: "set_transport", id: "probe", revision: 1, transport });
      await askRegistry(world, { type: "inspect", id: "probe", revision: 1 });

      return reportOutcome(world, probe.starts().length > 0);
    },
  },
  {
    name: "change a program's bytes",
    why: "Have a program start whose file is not the one that the operator allowed.",
    run: async (world) => {
      const probe = await addProbe(world);
      fs.appendFileSync(probe.file, "\n// changed\n");
      await askRegistry(world, { type: "inspect", id: "probe", revision: 1 });

      return reportOutcome(world, probe.starts().length > 0);
    },
  },
  {
    name: "keep to an old entry",
    why: "Have a program start by the arguments that the operator offered before.",
    run: async (world) => {
      const before = (await offerProbe(world)).manifest();
      const probe = await offerProbe(world, { args: [] });
      await keepSecret(world, world.desk.workspace, "probe-key", "an honest secret");
      await addAndInspect(world, before);
      await addAndInspect(world, { ...probe.manifest(), digest: before.digest });

      return reportOutcome(world, probe.starts().length > 0);
    },
  },
  {
    name: "use a withdrawn program",
    why: "Call a tool of a running server after the operator took its program off the list.",
    run: async (world) => {
      const probe = await useProbe(world);
      await tryTool(world, "probe", "touch");
      if (probe.calls() !== 1) throw new Error("an honest admin could not try the probe out");
      await removeProgram("probe", world.desk.installation);
      await tryTool(world, "probe", "touch");

      return reportOutcome(world, probe.calls() > 1);
    },
  },
  {
    name: "try a quarantined server out",
    why: "Call a tool of an unreviewed server in the console.",
    run: async (world) => {
      const probe = await addProbe(world);
      await askRegistry(world, { type: "inspect", id: "probe", revision: 1 });
      await tryTool(world, "probe", "touch");

      return reportOutcome(world, probe.calls() > 0);
    },
  },
  {
    name: "try a suspended server out",
    why: "Call a tool of a server that another admin put out of use in the console.",
    run: async (world) => {
      const probe = await useProbe(world);
      await askRegistry(world, { type: "suspend", id: "probe", revision: (await readServerState(world, "probe"))?.revision ?? 0 });
      await tryTool(world, "probe", "touch");

      return reportOutcome(world, probe.calls() > 0);
    },
  },
  {
    name: "run a package's scripts",
    why: "Have the operator install a package whose install script runs.",
    run: async (world) => {
      const probe = await offerProbe(world);
      const script = `node -e "require('fs').writeFileSync('${markerIn(probe)}', '')"`;
      const registry = await startNpmRegistry({
        name: "scripted",
        version: "1.0.0",
        files: { "index.js": "" },
        more: { bin: "index.js", scripts: { preinstall: script, install: script, postinstall: script, prepare: script } },
      });
      try {
        const env = { PATH: ownEnvironment["PATH"] ?? "", HOME: probe.folder, npm_config_registry: registry.url };
        const declared = { id: "scripted", name: "scripted", args: [], env: {}, placeholders: {} };
        const spec = { kind: "package", name: "scripted", version: "1.0.0", bin: null, scripts: false } as const;
        await installPackage(spec, declared, world.desk.installation, env);
      } finally {
        registry.close();
      }

      return reportOutcome(world, fs.existsSync(markerIn(probe)));
    },
  },
];
