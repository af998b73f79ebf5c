import type { z } from "zod";
import type { extractConfigSchema } from "@/lib/graph/kinds/extract";
import type { judgeConfigSchema } from "@/lib/graph/kinds/judge";
import { LIBRARY_ORIGIN } from "@/server/seed/research/corpus";

const text = (name: string, maxLength: number) => ({ name, value: { type: "text" as const, max_length: maxLength } });

export const ARTICLE_FIELDS = [
  text("title", 120),
  text("summary", 500),
  text("body", 8_000),
  { name: "tone", value: { type: "enum", values: ["neutral", "promotional", "alarming"] } },
  { name: "source_1", value: { type: "url" } },
  { name: "source_2", value: { type: "url" }, required: false },
] satisfies z.input<typeof extractConfigSchema>["fields"];

/** Look-alike origins fail. */
const ownPage = { type: "url" as const, origins: [LIBRARY_ORIGIN], path: "/pages" };

export const ARTICLE_RULES = [
  { field: "title", rule: { type: "length", min: 10, max: 120 } },
  { field: "summary", rule: { type: "length", min: 10, max: 500 } },
  { field: "body", rule: { type: "length", min: 100, max: 8_000 } },
  { field: "tone", rule: { type: "enum", values: ["neutral"] } },
  { field: "source_1", rule: ownPage },
  { field: "source_2", rule: ownPage },
] satisfies z.input<typeof judgeConfigSchema>["rules"];
