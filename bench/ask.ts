/** Runs the requested sections. */
import { parseArgs } from "node:util";
import { loadNow, machineOf, describeMachine } from "./machine";
import { clockTime } from "./report";
import type { Bench, Section } from "./section";
import { SECTIONS } from "./sections";
import { startServer, type BenchServer } from "./server";
import { createPairs } from "./steps/pairs/pairs";

const PEERS = ["langgraph", "dbos", "cycgraph", "mastra"] as const;

const USAGE = `usage: npm run bench -- [--only a,b] [--peers all|none|a,b] [--quick] [--json] [--against folder] [--help]

  --only   sections, by name:
${SECTIONS.map(({ name, says }) => `             ${name.padEnd(8)} ${says}`).join("\n")}
  --peers  who is measured beside us: ${PEERS.join(", ")}; none of them; or all (default). They are installed when first asked for.
  --quick  little of everything, within seconds: shows that it works, and says nothing about speed
  --json   one JSON object on stdout instead of tables
  --against  another checkout with its packages: its steps and ours by turns, instead of the sections
`;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

type Wanted = { readonly sections: readonly Section[]; readonly peers: readonly string[]; readonly quick: boolean; readonly json: boolean };

const wantedOf = (args: readonly string[]): Wanted | "help" | { readonly wrong: string } => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string" },
      peers: { type: "string", default: "all" },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      against: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  const names = values.only?.split(",") ?? SECTIONS.map(({ name }) => name);
  const unknown = names.find((name) => SECTIONS.every((section) => section.name !== name));
  if (unknown !== undefined) return { wrong: `there is no section ${unknown}` };
  const lists: Readonly<Record<string, readonly string[]>> = { all: PEERS, none: [] };
  const peers = lists[values.peers] ?? values.peers.split(",");
  const stranger = peers.find((peer) => !PEERS.some((name) => name === peer));
  if (stranger !== undefined) return { wrong: `there is no peer ${stranger}` };

  const sections = values.against === undefined ? SECTIONS.filter(({ name }) => names.includes(name)) : [createPairs(values.against)];

  return { sections, peers, quick: values.quick, json: values.json };
};

const counterOf = (name: string) => (of: number) => {
  const startedAt = performance.now();
  let begun = 0;

  return (text: string): void => {
    const seconds = (performance.now() - startedAt) / 1_000;
    const left = begun === 0 ? "" : `, about ${clockTime((seconds / begun) * (of - begun))} left`;
    begun += 1;
    say(`[${name} ${begun}/${of}${left}] ${text}`);
  };
};

const measure = async ({ sections, peers, quick, json }: Wanted): Promise<void> => {
  const loadBefore = loadNow();
  const held: { server: Promise<BenchServer> | null } = { server: null };
  const server = (): Promise<BenchServer> => {
    if (held.server === null) say("starting a Postgres with full durability");

    return (held.server ??= startServer());
  };
  const results: Record<string, unknown> = {};
  const texts: string[] = [];
  try {
    for (const section of sections) {
      const progress = (text: string): void => say(`[${section.name}] ${text}`);
      const bench: Bench = { scale: quick ? "quick" : "full", peers, progress, counted: counterOf(section.name), server };
      const result = await section.run(bench);
      results[section.name] = result;
      texts.push(`## ${section.name}\n\n${section.table(result)}`);
    }
    const machine = machineOf(await held.server, loadBefore);
    process.stdout.write(json ? `${JSON.stringify({ ...results, machine })}\n` : `${[...texts, describeMachine(machine)].join("\n\n")}\n`);
  } finally {
    await (await held.server)?.stop();
  }
};

export const carryOut = async (args: readonly string[]): Promise<void> => {
  const wanted = wantedOf(args);
  if (wanted === "help") process.stdout.write(USAGE);
  else if ("wrong" in wanted) {
    process.stderr.write(`${wanted.wrong}\n${USAGE}`);
    process.exitCode = 1;
  } else await measure(wanted);
};
