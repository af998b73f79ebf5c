import { beforeAll, describe, expect, it } from "vitest";
import { recognise, verifyGiven, type Given } from "@/lib/engine/verify/offline";
import { tamperWorkspace } from "@/lib/engine/verify/tamper-workspace";
import { getKeys } from "@/lib/engine/testing/ledger";
import { testWorkspace, type TestWorkspace } from "@/lib/engine/testing/workspace";
import { formatWorkspace } from "@/lib/engine/ledger/workspace-export";

let world: TestWorkspace;

beforeAll(async () => {
  world = await testWorkspace();
});

const subject = (given: Given): Extract<Given, { type: "workspace" | "run" }> => {
  if (given.type !== "workspace" && given.type !== "run") throw new Error(given.type);

  return given;
};
const file = () => ({
  format: "countersign/checkpoint/v1",
  checkpoints: [{ signed: world.kept, since: null }],
  public_keys: getKeys(world.key),
});

/** Readers keep the first or the last duplicate. */
const twice = (text: string, member: string, value: unknown): string =>
  text.replace(`"${member}":`, `"${member}":${JSON.stringify(value)},"${member}":`);

describe("an ambiguous file", () => {
  const run = () =>
    JSON.stringify({
      format: "countersign/export/v1",
      ledger: world.ledger,
      public_keys: getKeys(world.key),
      published: {},
      signature: null,
    });

  it.each([
    ["an export", () => twice(run(), "records", [])],
    ["an export, with an escape in one of the names", () => run().replace('"records":', String.raw`"\u0072ecords":[],"records":`)],
    ["a workspace's export, in its first line", () => twice(formatWorkspace(world.document), "public_keys", {})],
    ["a workspace's export, in a record", () => twice(formatWorkspace(world.document), "body", "{}")],
    ["a checkpoint", () => twice(JSON.stringify(file()), "checkpoints", [])],
    ["lines of checkpoints", () => `${JSON.stringify(file())}\n${twice(JSON.stringify(file()), "checkpoints", [])}\n`],
    ["keys", () => twice(JSON.stringify(getKeys(world.key)), world.key.kid, "A".repeat(43))],
  ])("is not accepted as %s", (_what, text) => {
    expect(recognise(text()).type).toBe("unknown");
  });

  it("is accepted with each member once", () => {
    expect([recognise(run()).type, recognise(JSON.stringify(file())).type]).toEqual(["run", "checkpoints"]);
  });
});

describe("a file", () => {
  it("is recognised by content", () => {
    const { key, ledger } = world;
    const run = { format: "countersign/export/v1", ledger, public_keys: getKeys(key), published: {}, signature: null };

    expect(recognise(formatWorkspace(world.document))).toEqual({ type: "workspace", document: world.document });
    expect(recognise(JSON.stringify(run)).type).toBe("run");
    expect(recognise(JSON.stringify(file()))).toMatchObject({ type: "checkpoints", files: [file()] });
    expect(recognise(`${JSON.stringify(file())}\n${JSON.stringify(file())}\n`)).toMatchObject({
      type: "checkpoints",
      files: [file(), file()],
    });
    expect(recognise(JSON.stringify(getKeys(key)))).toEqual({ type: "keys", keys: getKeys(key) });
  });

  it("of another kind is reported as unknown", () => {
    const cut = formatWorkspace(world.document).slice(0, -30);
    const others = ["", "nothing", "{}", "[]", "null", '{"k1":"short"}', cut];
    expect(others.filter((text) => recognise(text).type !== "unknown")).toEqual([]);
  });
});

describe("a report", () => {
  const verify = (text: string, beside: Parameters<typeof verifyGiven>[1]) =>
    verifyGiven(subject(recognise(text)), beside, () => undefined);

  it("names the first bad record and the evidence compared", async () => {
    const tampered = tamperWorkspace("edit", world.document);
    if (!tampered) throw new Error("there is enough in it");
    const beside = { keys: getKeys(world.key), kept: [world.kept] };

    expect(await verify(formatWorkspace(world.document), beside)).toMatchObject({ ok: true, warnings: [] });
    expect(await verify(formatWorkspace(tampered.document), beside)).toMatchObject({
      ok: false,
      reason: "hash",
      run: tampered.run,
      seq: tampered.seq,
      title: `Record ${tampered.seq} of run ${tampered.run} is invalid: hash`,
    });
  });

  it("says that the keys are the document's own and that nothing was kept, also with another workspace's checkpoints", async () => {
    const other = { ...world.kept, checkpoint: { ...world.kept.checkpoint, origin: "00000000-0000-4000-8000-000000000099" } };

    expect((await verify(formatWorkspace(world.document), { keys: null, kept: [other] })).warnings).toHaveLength(2);
  });
});
