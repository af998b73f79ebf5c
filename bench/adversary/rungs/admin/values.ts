import fs from "node:fs";
import path from "node:path";
import type { Attack } from "@/bench/adversary/rungs/attack";
import { reportOutcome } from "@/bench/adversary/rungs/report-outcome";
import type { World } from "@/bench/adversary/rungs/world";
import type { ProgramValues } from "@/lib/mcp/program";
import { addAndInspect, askRegistry, keepSecret, offerProbe, readServerState, type Probe } from "./world";

type Choose = (world: World, probe: Probe) => ProgramValues;

/** Success: it starts with the attacker's values. */
const startWith = async (world: World, choose: Choose): Promise<Probe> => {
  const probe = await offerProbe(world);
  await keepSecret(world, world.desk.workspace, "probe-key", "an honest secret");
  await addAndInspect(world, probe.manifest(choose(world, probe)));

  return probe;
};

const attackValue = (name: string, why: string, choose: Choose): Attack => ({
  name,
  why,
  run: async (world) => reportOutcome(world, (await startWith(world, choose)).starts().length > 0),
});

const keysOf = ({ desk }: World): string => path.join(desk.installation.home, "keys");

const upTo = (from: string, to: string): string => path.relative(from, to);

export const VALUE_ATTACKS: readonly Attack[] = [
  attackValue("state folder as a folder", "Fill in the state folder as the folder of a server.", ({ desk }) => ({
    folder: desk.installation.home,
  })),
  attackValue("root of the machine as a folder", "Fill in / as the folder of a server.", () => ({ folder: "/" })),
  attackValue("up to the keys", "Fill in a folder that goes up and down again to the keys.", (world, { folder }) => ({
    folder: upTo(path.join(folder, "docs"), keysOf(world)),
  })),
  attackValue("link to the keys", "Fill in a folder that is a link to the keys.", (world, { folder }) => {
    fs.symlinkSync(keysOf(world), path.join(folder, "docs", "link"));

    return { folder: "link" };
  }),
  attackValue("link to the processes", "Fill in a folder that is a link to /proc.", (_world, { folder }) => {
    fs.symlinkSync("/proc", path.join(folder, "docs", "link"));

    return { folder: "link" };
  }),
  {
    name: "link after the review",
    why: "Exchange a reviewed folder for a link to the keys and have the server start again.",
    run: async (world) => {
      const probe = await startWith(world, () => ({}));
      const before = probe.starts().length;
      if (before === 0) throw new Error("an honest admin could not start the probe");
      const team = path.join(probe.folder, "docs", "team");
      fs.rmSync(team, { recursive: true });
      fs.symlinkSync(keysOf(world), team);
      await world.restartRunner();
      await askRegistry(world, { type: "inspect", id: "probe", revision: (await readServerState(world, "probe"))?.revision ?? 0 });

      return reportOutcome(world, probe.starts().length > before);
    },
  },
  attackValue("key as a text", "Fill in the path of the signing key as a free text.", (world) => ({
    text: path.join(keysOf(world), "signing.key"),
  })),
  attackValue("key as an address", "Fill in the signing key as a file address with escapes.", (world) => ({
    text: `file://${keysOf(world).replaceAll("e", "%65")}/signing.key`,
  })),
  attackValue("up from the working folder", "Fill in a path that leads from a server's working folder to the keys.", () => ({
    text: "../../keys/signing.key",
  })),
  attackValue("an option as a text", "Fill in an option of the program where a text is asked for.", () => ({
    text: "--import=data:text/javascript,0",
  })),
  attackValue("two arguments as a text", "Fill in a text with a line break and an option.", () => ({ text: "plain\n--allow-all" })),
  attackValue("another choice", "Fill in a value that is not among the choices.", () => ({ mode: "--rw" })),
  attackValue("metadata as a host", "Fill in the address of the cloud's metadata service as a host.", () => ({ host: "169.254.169.254" })),
  attackValue("this machine as a host", "Fill in the database of this machine as a host.", () => ({ host: "localhost:5432" })),
  attackValue("an oversized value", "Fill in a value of one megabyte.", () => ({ text: "x".repeat(1_048_576) })),
  attackValue("a value too many", "Fill in a variable that the operator does not pass on.", () => ({
    node_options: "--require=/tmp/evil.cjs",
  })),
  attackValue("a secret as a text", "Fill in a secret of the store where a text is asked for, so that it becomes an argument.", () => ({
    text: { secret: "probe-key" },
  })),
  {
    name: "variables beside the values",
    why: "Send an environment of one's own with the values.",
    run: async (world) => {
      const probe = await offerProbe(world);
      await keepSecret(world, world.desk.workspace, "probe-key", "an honest secret");
      for (const more of [{ env: { NODE_OPTIONS: "--require=/tmp/evil.cjs" } }, { environment: { PATH: "/tmp" } }, { args: ["/"] }])
        await addAndInspect(world, { ...probe.manifest(), ...more });

      return reportOutcome(world, probe.starts().length > 0);
    },
  },
];
