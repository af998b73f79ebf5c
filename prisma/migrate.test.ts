import { expect, test } from "vitest";
import { schemaIsMigrated } from "@/prisma/migrate";

test("every change of schema.prisma has a migration (create it with `npm run migration <name>`)", () => {
  expect(schemaIsMigrated()).toBe(true);
});
