import { appendFile, rm, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { allowFile } from "./offer";
import { createPresentPrograms } from "./present";
import { declared, makePlace } from "./testing/place";

const HONEST = "export const honest = true;\n";

const offered = async () => {
  const { at, write } = await makePlace();
  const file = await write("srv/server.mjs", HONEST);
  await allowFile(file, declared(), at);
  let nowMs = 0;
  const present = createPresentPrograms(at, { now: () => nowMs, id: () => "" });

  return { file, present, ids: async () => (await present.list()).map(({ id }) => id), pass: (ms: number) => void (nowMs += ms) };
};

it("lists a program only while its file is there", async () => {
  const { file, ids } = await offered();
  expect(await ids()).toEqual(["server"]);
  await rm(file);
  expect(await ids()).toEqual([]);
  await writeFile(file, HONEST);
  expect(await ids()).toEqual(["server"]);
});

it("leaves out a program whose start found other files, until they are right again", async () => {
  const { file, present, ids, pass } = await offered();
  await appendFile(file, "export const more = true;\n");
  expect(await ids()).toEqual(["server"]);
  present.doubt("server");
  expect(await ids()).toEqual([]);
  await writeFile(file, HONEST);
  // Not digested at each heartbeat.
  expect(await ids()).toEqual([]);
  pass(60_000);
  expect(await ids()).toEqual(["server"]);
  await appendFile(file, "export const more = true;\n");
  expect(await ids()).toEqual(["server"]);
});

it("clears a doubt that its files do not confirm", async () => {
  const { present, ids } = await offered();
  present.doubt("server");
  expect(await ids()).toEqual(["server"]);
});
