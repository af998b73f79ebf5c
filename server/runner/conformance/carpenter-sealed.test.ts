/** Carpenter checks 41 and 42 (docs/decisions/conformance.md): values at rest and access. */
import { expect, test } from "vitest";
import { getCode, REVIEWER, user, uuid } from "@/lib/engine/testing/run";
import { atReview, openCase, review, zone } from "@/lib/engine/testing/zones";
import { createVault, type CellPlace } from "@/server/security/vault";

const PLACE: CellPlace = { workspace: "w", run: "r", seq: 1, index: 0, path: "mail", label: '{"integrity":"untrusted"}' };
const CONTENT = { salt: "ab".repeat(32), value: "the same text" };

test("41. the same value is sealed differently each time, and opens only at its own place", () => {
  const vault = createVault("11".repeat(32));
  const [one, other] = [vault.sealCell(PLACE, CONTENT), vault.sealCell(PLACE, CONTENT)];
  expect(Buffer.from(one.sealed).equals(Buffer.from(other.sealed))).toBe(false);
  expect(Buffer.from(one.wrappedKey).equals(Buffer.from(other.wrappedKey))).toBe(false);
  expect([one, other].map((cell) => vault.openCell(PLACE, cell))).toEqual([CONTENT, CONTENT]);
  expect(vault.openCell({ ...PLACE, seq: 2 }, one)).toBe("unreadable");
});

test("41. only requested reviewers open the value under review; openings and denials are on record", () => {
  const run = atReview(zone({ review: review({ reviewers: [{ type: "person", role: "reviewer", count: 1 }] }) }));
  const cell = run.state().cells.find(({ path }) => path === "form");
  const about = openCase(run)?.case.id;
  if (!cell || !about) throw new Error("a case about the form is open");
  const body = { kind: "open_cell", seq: cell.seq, index: cell.index, purpose: "review", case_id: about } as const;
  expect(getCode(run.propose(user(REVIEWER), body))).toBe("accepted");
  expect(run.records().at(-1)?.record.control).toMatchObject([{ type: "cell_opened", by: `user:${REVIEWER}`, case_id: about }]);
  expect(getCode(run.propose(user(uuid(80), "builder"), body))).toBe("opening_denied");
  expect(run.records().at(-1)?.record).toMatchObject({ principal: { id: uuid(80) }, refusal: { code: "opening_denied" } });
});

test.each(["", "11", "zz".repeat(32), "11".repeat(31)])("42. without a whole key nothing is sealed at all: %j", (key) => {
  expect(() => createVault(key).sealCell(PLACE, CONTENT)).toThrow();
});
