import { startInstallation } from "@/bench/canvas/installation";
import { memoryMb, processesWith } from "@/bench/processes";
import { figure, markdown } from "@/bench/report";
import { installedPlace, seedRun } from "@/bench/runs/seed";
import type { Bench, Section } from "@/bench/section";
import { closeDatabase } from "@/server/db/client";
import { openDemo, signedIn } from "./client";
import { mixOf, putUnderLoad, starterOf, type Loaded } from "./load";

const LOADS = { full: { records: 1_000, people: 8, seconds: 60 }, quick: { records: 60, people: 2, seconds: 8 } } as const;
const PORT = 3_973;
const BEGAN_AT = Date.UTC(2026, 0, 5, 9);
const PEOPLE = ["admin", "builder", "reviewer"] as const;

export type WebResult = Loaded & {
  readonly people: number;
  readonly seconds: number;
  readonly records: number;
  /** MB; null: unreadable. */
  readonly memory_mb: { readonly before: number | null; readonly after: number | null };
};

const memoryOfWeb = (port: number): number | null => {
  const all = processesWith("next", `-p ${port}`)
    .concat(processesWith("next-server"))
    .flatMap((pid) => memoryMb(pid) ?? []);

  return all.length === 0 ? null : Math.max(...all);
};

type Place = { readonly url: string; readonly home: string; readonly port: number };

const measureWeb = async (bench: Pick<Bench, "scale" | "progress">, { url, home, port }: Place): Promise<WebResult> => {
  const { records: wanted, people, seconds } = LOADS[bench.scale];
  await openDemo(url);
  const seeded = await seedRun(await installedPlace(home), { seed: `web ${Date.now()}`, records: wanted, startedAt: BEGAN_AT });
  const records = await seeded.goOnTo(Number.MAX_SAFE_INTEGER);
  await seeded.close();
  await closeDatabase();
  const admin = await signedIn(url, "admin");
  const clients = await Promise.all(Array.from({ length: people }, (_, index) => signedIn(url, PEOPLE[index % PEOPLE.length] ?? "admin")));
  const steps = await mixOf(admin, seeded.runId, records);
  const start = await starterOf(await signedIn(url, "builder"));
  // Admins may see everything.
  for (const step of steps) await step.do(admin);
  const before = memoryOfWeb(port);
  bench.progress(`${people} people for ${seconds} seconds`);
  const loaded = await putUnderLoad({ clients, steps, start, seconds });

  return { people, seconds, records, ...loaded, memory_mb: { before, after: memoryOfWeb(port) } };
};

const run = async (bench: Bench): Promise<WebResult> => {
  bench.progress("starting a product as it is delivered; building it takes a minute when it is not built");
  const installation = await startInstallation(PORT, (line) => bench.progress(line));
  try {
    return await measureWeb(bench, { ...installation, port: PORT });
  } finally {
    await installation.stop();
  }
};

const ms = (value: number) => figure(value, "ms");

const table = ({ asked, perSecond, people, seconds, records, started, errors, memory_mb: memory }: WebResult): string =>
  [
    `${people} people who ask one thing after another for ${seconds} seconds, ${figure(perSecond)} requests a second, while ${started} runs were started; the long run has ${figure(records)} records. Errors: ${errors.length}. Memory of the web process: ${figure(memory.before, "MB")} before, ${figure(memory.after, "MB")} after.`,
    markdown(
      ["", "requests", "p50", "p95", "max"],
      asked.map(({ name, requests, p50, p95, max }) => [name, String(requests), ms(p50), ms(p95), ms(max)]),
    ),
    ...errors.slice(0, 5).map((error) => `- ${error.slice(0, 300)}`),
  ].join("\n\n");

export const WEB: Section<WebResult> = {
  name: "web",
  says: "pages and procedures under load, in the delivered build: p50, p95, errors, memory",
  run,
  table,
};
