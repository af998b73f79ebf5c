import { createHash, randomBytes, randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { getArtifactDigest, getArtifactSource, listReferences, type Artifact } from "@/lib/artifact";
import type { Json } from "@/lib/json";
import { useDatabase } from "@/server/db/client";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { rotateBatch, waitsUnderOlder } from "@/server/runner/rotation";
import { createVault } from "@/server/security/vault";
import { deleteUnusedArtifacts, wasGiven } from "@/server/store/artifacts";
import { startRotation } from "@/server/store/ledger/cells-rotation";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";
import { storeAnswerFiles } from "./answer-files";
import { openArtifact } from "./open";
import { CHUNK_BYTES, receiveArtifact, type Upload } from "./receive";

vi.stubEnv("COUNTERSIGN_FILE_MIB", "1");
vi.stubEnv("COUNTERSIGN_WORKSPACE_FILES_MIB", "2");
const urls = await testDatabase("web");
const [first, second] = ["a".repeat(64), "b".repeat(64)];
const vault = createVault(first);
const giver = randomUUID();
let workspace: string;

beforeEach(async () => {
  await useDatabase(urls.web);
  workspace = await testWorkspace(urls.admin);
});

const toBody = (bytes: Uint8Array, pieceBytes = 100_000): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += pieceBytes) controller.enqueue(bytes.subarray(at, at + pieceBytes));
      controller.close();
    },
  });

const give = (bytes: Uint8Array, change: Partial<Upload> = {}): Promise<Artifact> =>
  receiveArtifact(vault, {
    workspaceId: workspace,
    givenBy: giver,
    name: "scan.bin",
    body: toBody(bytes),
    digest: null,
    length: null,
    ...change,
  });

const read = async (artifact: Artifact, workspaceId = workspace, by = vault): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of openArtifact(by, workspaceId, artifact)) chunks.push(chunk);

  return Buffer.concat(chunks);
};

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const count = async (table: string): Promise<number> =>
  Number((await queryOn<{ n: string }>(urls.admin, `select count(*) as n from ${table} where workspace_id = '${workspace}'`))[0]?.n);

describe("an upload", () => {
  test.each([1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 1_048_576])("of %i bytes is read back byte by byte", async (size) => {
    const bytes = randomBytes(size);
    const artifact = await give(bytes);
    expect(artifact).toMatchObject({ $artifact: sha256(bytes), size, name: "scan.bin" });
    expect((await read(artifact)).equals(bytes)).toBe(true);
  });

  test("is sealed: the database has none of its bytes", async () => {
    await give(Buffer.from("a secret sentence".repeat(100)));
    const [row] = await queryOn<{ sealed: Buffer }>(urls.admin, `select sealed from artifact_chunk where workspace_id = '${workspace}'`);
    expect(row?.sealed.includes("secret")).toBe(false);
  });

  test.each([
    ["larger than a file may be", { body: toBody(randomBytes(1_048_577)) }, "larger than 1 MiB"],
    ["that says it is larger", { length: 1_048_577 }, "larger than 1 MiB"],
    ["that is empty", { body: null }, "empty"],
    ["with another digest", { digest: "0".repeat(64) }, "digest differs"],
    ["that ends early", { length: 11 }, "did not arrive whole"],
  ])("%s is refused, and is no file", async (_, change, message) => {
    await expect(give(Buffer.from("0123456789"), change)).rejects.toThrow(message);
    expect(await count("artifact")).toBe(0);
  });

  test("that the sender breaks off is no file", async () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("reset")),
      start: (controller) => controller.enqueue(randomBytes(CHUNK_BYTES + 5)),
    });
    await expect(give(new Uint8Array(), { body })).rejects.toThrow("reset");
    expect(await count("artifact")).toBe(0);
  });

  test("beyond the bytes of the workspace is refused, also for two at once", async () => {
    const file = randomBytes(900_000);
    await give(file);
    const both = await Promise.allSettled([give(file, { name: "b" }), give(file, { name: "c" })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await expect(give(file)).rejects.toThrow("use all of their 2 MiB");
  });
});

describe("stored bytes", () => {
  test("are of their workspace alone", async () => {
    const artifact = await give(Buffer.from("mine"));
    await expect(read(artifact, await testWorkspace(urls.admin))).rejects.toThrow("destroyed");
  });

  test.each([
    ["swapped", ["set index = index + 10", "set index = case index when 10 then 1 when 11 then 0 else 2 end"]],
    ["repeated at the end", ["set index = 7 where index = 2", "set index = 2 where index = 1"]],
    ["altered", ["set sealed = sealed || '\\x00'"]],
  ])("%s in the database are not read", async (_, changes) => {
    const artifact = await give(randomBytes(2 * CHUNK_BYTES + 5));
    for (const change of changes) {
      const where = change.includes("where") ? "and" : "where";
      await asAdmin(urls.admin, `update artifact_chunk ${change} ${where} workspace_id = $1`, [workspace]);
    }
    await expect(read(artifact)).rejects.toThrow();
  });

  test("cut off at the end are not read", async () => {
    const artifact = await give(randomBytes(CHUNK_BYTES + 5));
    await asAdmin(urls.admin, "update artifact set chunks = chunks - 1 where workspace_id = $1", [workspace]);
    await expect(read(artifact)).rejects.toThrow("altered");
  });

  test("of another file are not read under a reference", async () => {
    const [own, other] = [await give(Buffer.from("mine")), await give(Buffer.from("payroll"))];
    await asAdmin(urls.admin, "delete from artifact where workspace_id = $1 and source = $2", [workspace, getArtifactSource(own)]);
    await asAdmin(urls.admin, "update artifact set source = $2 where workspace_id = $1", [workspace, getArtifactSource(own)]);
    await expect(read(own)).rejects.toThrow("altered");
    await expect(read(other)).rejects.toThrow("destroyed");
  });

  test("are neither changed nor deleted by the web process", async () => {
    for (const sql of [
      "update artifact set given_by = gen_random_uuid()",
      "delete from artifact",
      "update artifact_chunk set sealed = ''",
      "delete from artifact_chunk",
      "insert into artifact_chunk (workspace_id, artifact_id, index, size, sealed, created_at) values (gen_random_uuid(), gen_random_uuid(), 0, 1, '', now())",
    ]) {
      await expect(queryOn(urls.web, sql)).rejects.toThrow("permission denied");
    }
  });

  test("keep their key through a rotation", async () => {
    const artifact = await give(Buffer.from("kept"));
    await useDatabase(urls.runner);
    const [both, newest] = [createVault(`1 ${first}\n2 ${second}\n`), createVault(`2 ${second}\n`)];
    await startRotation(2);
    expect(await waitsUnderOlder(both, 2)).toBe(true);
    let step = await rotateBatch(both);
    for (let turn = 0; step === "more" && turn < 20; turn += 1) step = await rotateBatch(both);
    expect(await waitsUnderOlder(both, 2)).toBe(false);
    expect((await read(artifact, workspace, newest)).toString()).toBe("kept");
  });
});

const age = (hours: number) =>
  asAdmin(urls.admin, "update artifact set created_at = now() - make_interval(hours => $2) where workspace_id = $1", [workspace, hours]);

const addCell = async (artifact: Artifact, sealed: string): Promise<void> => {
  const label = JSON.stringify({ confidentiality: "internal", integrity: "trusted", provenance: [getArtifactSource(artifact)] });
  await asAdmin(
    urls.admin,
    "insert into cell (workspace_id, run_id, seq, index, path, label, commitment, sealed, wrapped_key) values ($1, gen_random_uuid(), 0, 0, 'a', $2, '', $3, '')",
    [workspace, label, Buffer.from(sealed)],
  );
};

describe("a file", () => {
  test("may be used by the one who gave it, for a day or while a run keeps it", async () => {
    const artifact = await give(Buffer.from("mine"));
    await useDatabase(urls.runner);
    expect(await wasGiven(workspace, giver, artifact)).toBe(true);
    expect(await wasGiven(workspace, randomUUID(), artifact)).toBe(false);
    expect(await wasGiven(await testWorkspace(urls.admin), giver, artifact)).toBe(false);
    for (const change of [{ name: "other" }, { size: 5 }, { mediaType: "image/png" }, { id: randomUUID() }]) {
      expect(await wasGiven(workspace, giver, { ...artifact, ...change })).toBe(false);
    }
    await age(23);
    expect(await wasGiven(workspace, giver, artifact)).toBe(false);
    await addCell(artifact, "value");
    expect(await wasGiven(workspace, giver, artifact)).toBe(true);
  });

  test("is destroyed once unused for a day, and at once when its last cell is shredded", async () => {
    const [unused, used, shredded] = [await give(Buffer.from("1")), await give(Buffer.from("2")), await give(Buffer.from("3"))];
    const fresh = [await give(Buffer.from("4"))];
    await useDatabase(urls.runner);
    await age(25);
    await asAdmin(urls.admin, "update artifact set created_at = now() where workspace_id = $1 and source = any($2)", [
      workspace,
      [...fresh, shredded].map(getArtifactSource),
    ]);
    await addCell(used, "value");
    await addCell(shredded, "");
    await asAdmin(urls.admin, "update artifact_chunk set created_at = now() - interval '2 hours' where workspace_id = $1", [workspace]);
    await deleteUnusedArtifacts(100);
    expect((await read(used)).toString()).toBe("2");
    expect((await read(fresh[0] ?? unused)).toString()).toBe("4");
    for (const gone of [unused, shredded]) await expect(read(gone)).rejects.toThrow("destroyed");
    expect(await count("artifact_chunk")).toBe(2);
  });
});

describe("a tool's answer", () => {
  const store = (content: readonly Json[]) =>
    storeAnswerFiles(vault, { workspaceId: workspace, effectId: randomUUID(), tool: "render" }, { content: [...content] });
  const pdf = Buffer.from("%PDF-1.7");

  test("keeps its texts, and its images and blobs become files of the runner", async () => {
    await useDatabase(urls.runner);
    const { result, artifacts } = await store([
      { type: "text", text: "Here it is." },
      { type: "image", data: pdf.toString("base64"), mimeType: "image/png" },
      { type: "resource", resource: { uri: "file:///out/bill.pdf", blob: pdf.toString("base64") } },
    ]);
    const [image, resource] = listReferences(result);
    expect(result).toEqual({
      content: [
        { type: "text", text: "Here it is." },
        { type: "image", mimeType: "image/png", file: image },
        { type: "resource", resource: { uri: "file:///out/bill.pdf", file: resource } },
      ],
    });
    expect([image, resource]).toMatchObject([
      { name: "render", mediaType: "application/pdf", size: 8 },
      { name: "bill.pdf", mediaType: "application/pdf", size: 8 },
    ]);
    expect(artifacts).toEqual([image, resource].map((artifact) => artifact && getArtifactDigest(artifact)));
    expect(image && (await read(image)).toString()).toBe("%PDF-1.7");
  });

  test.each<Json>([
    { type: "image", data: "not base64!" },
    { type: "image", data: 7 },
    { type: "resource", resource: { uri: "a", text: "words" } },
    { type: "text", data: "QUJD" },
    null,
  ])("%j stays as it is", async (block) => {
    await useDatabase(urls.runner);
    expect(await store([block])).toEqual({ result: { content: [block] }, artifacts: [] });
  });

  test("says why a file was not stored, and has none of its bytes", async () => {
    await useDatabase(urls.runner);
    const { result, artifacts } = await store([{ type: "image", data: randomBytes(1_048_578).toString("base64") }]);
    expect(result).toEqual({ content: [{ type: "image", file: { notStored: "The file is larger than 1 MiB. Choose a smaller one." } }] });
    expect(artifacts).toEqual([]);
  });
});
