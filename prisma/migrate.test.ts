import { expect, test } from "vitest";
import { schemaIsMigrated } from "@/prisma/migrate";

test("every change of schema.prisma has its migration: `npm run migration <name>` makes it", () => {
  expect(schemaIsMigrated()).toBe(true);
});
