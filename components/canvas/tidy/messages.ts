import type { LayoutTask } from "@/lib/graph/layout";

export type TidyRequest = LayoutTask;

export type Places = ReadonlyMap<string, { readonly x: number; readonly y: number }>;

export type TidyResponse = { readonly type: "result"; readonly places: Places } | { readonly type: "failed" };
