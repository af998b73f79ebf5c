import { afterAll, expect, test, vi } from "vitest";
import { closeDatabase, getPool, useDatabase } from "@/server/db/client";
import { testDatabase } from "@/server/testing/database";
import { openListener } from "./listener";

const urls = await testDatabase("runner");
afterAll(closeDatabase);

test("a database closes with its listeners, which are told and hear the next one", async () => {
  const [lost, heard] = [vi.fn<() => void>(), vi.fn<(payload: string | undefined) => void>()];
  await openListener("countersign_run", () => undefined, lost);
  await useDatabase(urls.web);
  expect(lost).toHaveBeenCalledOnce();
  const next = await openListener("countersign_run", heard, () => undefined);
  await getPool().query("select pg_notify('countersign_run', 'x')");
  await vi.waitFor(() => expect(heard).toHaveBeenCalledWith("x"));
  next.close();
});

test("a listener that is opened while its database closes is refused", async () => {
  await closeDatabase();
  const opening = openListener(
    "countersign_run",
    () => undefined,
    () => undefined,
  );
  const closed = closeDatabase();
  await expect(opening).rejects.toThrow("the database was closed");
  await closed;
});

test("a database closes after its listener was closed", async () => {
  const lost = vi.fn<() => void>();
  (await openListener("countersign_run", () => undefined, lost)).close();
  await closeDatabase();
  expect(lost).not.toHaveBeenCalled();
});
