import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { graphSchema } from "@/lib/graph/document";
import type { FactPlace } from "@/lib/facts/command";
import type { Classification } from "@/lib/graph/label";
import type { Role } from "@/lib/roles";
import { useDatabase } from "@/server/db/client";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { findRecallFacts } from "@/server/runner/recall";
import { openDesk, publishAs, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { sendOwn } from "@/server/runner/testing/passkeys";
import { drive, readRun } from "@/server/runner/testing/run";
import { callerAs } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);
let desk: Desk;

const reflect = async (id: string, classification: Classification, text: string): Promise<string> => {
  const version = {
    ...desk.published,
    graph: graphSchema.parse({
      format: "countersign/graph/v1",
      id,
      name: `Notes ${id}`,
      inputs: { type: "object", properties: { mail_file: { type: "string" } }, additionalProperties: false },
      memory: [
        { key: "mail_file", schema: { type: "string" }, classification },
        { key: "notes", schema: { type: "array" }, classification },
      ],
      nodes: [
        {
          id: "note",
          kind: "reflection",
          read_keys: ["mail_file"],
          write_keys: ["notes"],
          config: { topic: "billing", write_to: "notes" },
        },
      ],
      edges: [],
      start_node: "note",
      end_nodes: ["note"],
    }),
  };
  const run = await startRun(desk, "honest", text, await publishAs(desk, version, desk.people.builder));
  await drive(desk, run);
  expect((await readRun(desk, run)).state.status).toBe("completed");

  return run;
};

const recalled = async (): Promise<readonly string[]> => {
  const wanted = { workspaceId: desk.workspace, runId: randomUUID(), topics: ["billing"], limit: 1 };

  return (await findRecallFacts(desk.deps.vault, await desk.deps.authority.read(desk.workspace), wanted)).map(({ text }) => text);
};

const listed = async (role: Role, search = "") => {
  await useDatabase(urls.web);
  const { facts } = await callerAs(desk.workspace, role).facts.list({ search });
  await useDatabase(urls.runner);

  return facts;
};

const send = async (place: FactPlace, by = desk.people.builder) =>
  (await sendOwn(desk, { kind: "fact_retract", ...place }, by)).refusal?.code ?? null;

let first: string;
let second: string;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  first = await reflect("open", "internal", "Invoices go out on the first day.");
  second = await reflect("closed", "secret", "The bank account ends in 4711.");
}, 120_000);
afterAll(() => desk.mcp.close());

describe("facts", () => {
  it("are listed newest first with their recorded labels, and only as far as the reader may see them", async () => {
    const facts = await listed("builder");

    expect(facts.map(({ run, topic, graph, text }) => ({ run, topic, graph, text }))).toEqual([
      { run: second, topic: "billing", graph: "Notes closed", text: null },
      { run: first, topic: "billing", graph: "Notes open", text: "Invoices go out on the first day." },
    ]);
    expect(facts.map(({ label }) => label?.confidentiality)).toEqual(["secret", "internal"]);
    expect(facts.map(({ label }) => label?.integrity)).toEqual(["trusted", "trusted"]);
  });

  it("are found by topic and by readable text, so a search reveals nothing hidden", async () => {
    expect((await listed("builder", "INVOICES")).map(({ run }) => run)).toEqual([first]);
    expect((await listed("builder", "bill")).map(({ run }) => run)).toEqual([second, first]);
    expect(await listed("builder", "4711")).toEqual([]);
  });

  it("with a lowered label in the table are shown to no one", async () => {
    const [row] = await query<{ label: string }>(urls.admin, "select label from cell where run_id = $1 and path = '$fact.billing'", [
      second,
    ]);
    const before = row?.label ?? "";
    const lowered = before.replace("secret", "public");
    expect(lowered).not.toBe(before);
    const relabel = (label: string) =>
      asAdmin(
        urls.admin,
        `begin; set local session_replication_role = replica;
         update cell set label = '${label}' where run_id = '${second}' and path = '$fact.billing'; commit`,
      );
    await relabel(lowered);
    const [tampered] = await listed("builder");
    await relabel(before);

    expect(tampered).toMatchObject({ run: second, text: null });
  });

  it("are retracted by builders and admins alone, once, and leave later runs what remains", async () => {
    const [, open] = await listed("builder");
    const [closed] = await listed("builder");
    if (!open || !closed) throw new Error("no facts");
    const place = ({ run, seq, index }: FactPlace): FactPlace => ({ run, seq, index });
    expect(await recalled()).toEqual(["The bank account ends in 4711."]);

    for (const by of [desk.people.reviewer, desk.people.viewer]) expect(await send(place(closed), by)).toBe("principal_not_allowed");
    expect(await send({ ...place(closed), index: 7 })).toBe("step_refused");
    expect(await send({ run: second, seq: 0, index: 0 })).toBe("step_refused");
    expect(await recalled()).toEqual(["The bank account ends in 4711."]);

    expect(await send(place(closed))).toBeNull();
    expect(await send(place(closed))).toBe("step_refused");
    expect(await recalled()).toEqual(["Invoices go out on the first day."]);
    expect((await listed("builder")).map(({ isRetracted }) => isRetracted)).toEqual([true, false]);
    expect(await send(place(open), desk.people.admin)).toBeNull();
    expect(await recalled()).toEqual([]);
  });
});
