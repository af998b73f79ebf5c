import { beforeAll, describe, expect, it } from "vitest";
import { TAMPER_KINDS, type TamperKind } from "@/lib/engine/verify/tamper";
import { LEDGER_TAMPER_KINDS } from "@/lib/engine/verify/tamper-ledger";
import { LEDGER_FOUND_BY, WORKSPACE_FOUND_BY } from "@/lib/engine/testing/tampered";
import { testWorkspace, type TestWorkspace } from "@/lib/engine/testing/workspace";
import { formatWorkspace } from "@/lib/engine/ledger/workspace-export";
import { createLedgerHandler } from "./handler";
import type { Change, LedgerRequest, LedgerResponse, Subject } from "./messages";

let world: TestWorkspace;

beforeAll(async () => {
  world = await testWorkspace();
});

const opened = async (subject: Subject) => {
  const said: LedgerResponse[] = [];
  const handle = createLedgerHandler({
    fetchText: async () => formatWorkspace(world.document),
    answer: (response) => void said.push(structuredClone(response)),
  });
  const ask = async (request: LedgerRequest): Promise<LedgerResponse> => {
    await handle(structuredClone(request));

    return said.at(-1) ?? { type: "failed", message: "nothing was said" };
  };
  expect(await ask({ type: "load", subject })).toMatchObject({ type: "loaded" });
  const { ledger, kept, key } = world;
  const remembered = { version: ledger.head.version, digest: ledger.head.digest, at: 0 };

  return {
    said,
    tamper: (kind: TamperKind | null) => ask({ type: "tamper", kind }),
    verify: () => ask({ type: "verify", keys: { [key.kid]: key.public }, kept: [kept], remembered }),
  };
};

const WORKSPACE: Subject = { type: "workspace", url: "/api/ledger/records" };
const changeIn = (response: LedgerResponse): Change => {
  if (response.type !== "tampered" || !response.change) throw new Error("nothing was tampered with");

  return response.change;
};

describe("createLedgerHandler", () => {
  it("verifies a workspace and a run, and reports progress", async () => {
    const workspace = await opened(WORKSPACE);
    expect(await workspace.verify()).toMatchObject({ type: "workspace_result", result: { ok: true, kept: 1 } });
    expect(workspace.said.filter(({ type }) => type === "progress")).not.toEqual([]);
    const run = await opened({ type: "run", ledger: world.ledger });
    expect(await run.verify()).toMatchObject({ type: "run_result", result: { ok: true } });
  });

  it.each(TAMPER_KINDS)("detects %s in a workspace and names the first invalid record", async (kind) => {
    const { tamper, verify } = await opened(WORKSPACE);
    const { run, seq } = changeIn(await tamper(kind));
    const place = kind === "rollback" ? { run: null, seq: null } : { run, seq };

    expect(await verify()).toMatchObject({ type: "workspace_result", result: { ok: false, reason: WORKSPACE_FOUND_BY[kind], ...place } });
    // Tampering changes only the copy.
    await tamper(null);
    expect(await verify()).toMatchObject({ result: { ok: true } });
  });

  it.each(LEDGER_TAMPER_KINDS)("detects %s in a run and names the first invalid record", async (kind) => {
    const { tamper, verify } = await opened({ type: "run", ledger: world.ledger });
    const { seq, before, after } = changeIn(await tamper(kind));

    expect(before).not.toBe(after);
    expect(await verify()).toMatchObject({ type: "run_result", result: { ok: false, reason: LEDGER_FOUND_BY[kind], seq } });
  });

  it("reports too few records to tamper with, and incomplete data", async () => {
    const { tamper } = await opened({ type: "run", ledger: world.ledger });
    expect(await tamper("deleted_run")).toEqual({ type: "tampered", change: null });
    const said: LedgerResponse[] = [];
    const handle = createLedgerHandler({ fetchText: async () => "cut", answer: (response) => void said.push(response) });
    await handle({ type: "load", subject: WORKSPACE });
    await handle({ type: "tamper", kind: "edit" });
    expect(said).toMatchObject([
      { type: "failed", message: expect.stringContaining("incomplete data") as string },
      { type: "failed", message: "Nothing is loaded." },
    ]);
  });
});
