import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");

/** SQL as text, a call of Prisma's that takes some, or the helper. */
const SQL =
  /from "@\/server\/store\/sql\/rows"|["'`]\s*(?:with (?:recursive )?\w+ as|select |insert into|update "?\w+"? (?:\w )?set|delete from|listen |create (?:role|table)|alter role)|\$(?:query|execute)Raw/iu;

/** Text for models, not for Postgres. */
const PROSE = ["server/models/scripted/compromised.ts"];

const listed = [...readFileSync(path.join(root, "docs/decisions/store.md"), "utf8").matchAll(/^\| `(?<file>server\/[^`]+\.ts)`/gmu)].map(
  ({ groups }) => groups?.["file"] ?? "",
);

const sendsSql = (text: string): boolean => SQL.test(text);

test.each([
  ["a statement", "pool.query('select 1')"],
  ["a template", "const text = `\n  with due as (select 1) select * from due`"],
  ["a change", 'client.query("update run set frozen = null")'],
  ["a call of Prisma's", "tx.$executeRaw`anything`"],
])("%s counts as SQL", (_, text) => {
  expect(sendsSql(text)).toBe(true);
});

test("Prisma's client does not count as SQL", () => {
  expect(sendsSql('tx.run.updateMany({ where: { id }, data: { frozen: null } }); // select, "with care"')).toBe(false);
});

test("docs/decisions/store.md lists each file that sends SQL, and no other", () => {
  const sending = globSync("server/**/*.ts", { cwd: root })
    .filter((file) => !/\.test\.ts$|\/testing\/|\/generated\//u.test(file) && !PROSE.includes(file))
    .filter((file) => sendsSql(readFileSync(path.join(root, file), "utf8")));

  expect(listed.toSorted()).toEqual(sending.toSorted());
});
