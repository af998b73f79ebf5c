import { expect, test } from "vitest";
import { getPool, useDatabase } from "@/server/db/client";
import { testDatabase } from "@/server/testing/database";

const before = await testDatabase("admin");
const after = await testDatabase("admin");

const currentDatabase = async (): Promise<string> => {
  const { rows } = await getPool().query<{ name: string }>("select current_database() as name");

  return rows[0]?.name ?? "";
};

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

test("a connection requested during a switch goes to the new database", async () => {
  await useDatabase(before.admin);
  expect(await currentDatabase()).toBe(nameOf(before.admin));
  const switched = useDatabase(after.admin);
  const during = currentDatabase();
  await switched;
  expect(await during).toBe(nameOf(after.admin));
  expect(await currentDatabase()).toBe(nameOf(after.admin));
});
