import { z } from "zod";
import { visibleNameSchema } from "@/lib/visible-name";

/** Lists whose filters people save. The trust log has its own permission. */
export const viewPageSchema = z.enum(["runs", "approvals"]);
export type ViewPage = z.infer<typeof viewPageSchema>;

export const viewNameSchema = visibleNameSchema(80, "Required.");
export const viewQuerySchema = z.string().max(2_000);

export const MOST_VIEWS = 50;

export const daySchema = z.iso.date();

export const toDayMs = (day: string, isEnd = false): number => Date.parse(day) + (isEnd ? 86_400_000 : 0);
