import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { err, ok } from "@/lib/result";
import { openState } from "./state";

const folder = await mkdtemp(path.join(tmpdir(), "countersign-state-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
let made = 0;

const fresh = () => {
  made += 1;
  const own = path.join(folder, String(made));
  const open = () => openState(own, z.strictObject({ count: z.number() }), { count: 0 });

  return { file: path.join(own, "state.json"), open };
};

const add = (key: unknown, by = 1) => ({ tool: "add", arguments: { by }, key });
const plus = (by: number) => (data: { count: number }, id: string) =>
  ok({ data: { count: data.count + by }, result: { id, count: data.count + by } });

test("the same key answers the same and changes nothing, also concurrently and in another process", async () => {
  const { open } = fresh();
  const state = open();
  const [first, twin] = await Promise.all([state.once(add("k1"), plus(1)), state.once(add("k1"), plus(1))]);
  const later = await open().once(add("k1"), plus(1));

  expect(first).toMatchObject({ ok: true, value: { count: 1 } });
  expect([twin, later]).toEqual([first, first]);
  expect(await open().read()).toEqual({ count: 1 });
});

test("concurrent changes are serialised, so none is lost", async () => {
  const state = fresh().open();
  await Promise.all(Array.from({ length: 20 }, (_, index) => state.once(add(`k${index}`), plus(1))));

  expect(await state.read()).toEqual({ count: 20 });
});

test("a key of another change, a missing key and the server's own refusals change nothing", async () => {
  const { open, file } = fresh();
  const state = open();
  expect(await state.once(add(undefined), plus(1))).toEqual({ ok: false, error: "key_missing" });
  expect(await state.once(add("k1"), () => err("declined" as const))).toEqual({ ok: false, error: "declined" });
  await expect(readFile(file)).rejects.toMatchObject({ code: "ENOENT" });

  expect(await state.once(add("k1"), plus(1))).toMatchObject({ ok: true });
  expect(await state.once(add("k1", 2), plus(2))).toEqual({ ok: false, error: "key_reused" });
  expect(await state.read()).toEqual({ count: 1 });
});

test("a key named like an Object property is an ordinary key", async () => {
  const state = fresh().open();
  expect(await state.once(add("constructor"), plus(1))).toMatchObject({ ok: true, value: { count: 1 } });
});

test("foreign file content is rejected as state", async () => {
  const { open, file } = fresh();
  await open().once(add("k1"), plus(1));
  await writeFile(file, '{"data": {"count": "many"}, "applied": {}}');

  await expect(open().read()).rejects.toThrow(/count/);
});
