/** A small protocol in each direction. */
import { z } from "zod";
import type { Protocol } from "@/server/ipc/peer";

export const childProtocol = {
  echo: { request: z.string(), response: z.string() },
  relay: { request: z.string(), response: z.string() },
  fail: { request: z.string(), response: z.null() },
  wait: { request: z.null(), response: z.string() },
  misbehave: { request: z.enum(["hang", "crash", "garbage", "huge", "unasked"]), response: z.null() },
  environment: { request: z.null(), response: z.strictObject({ pid: z.number(), names: z.array(z.string()) }) },
} as const satisfies Protocol;

export const parentProtocol = { greet: { request: z.string(), response: z.string() } } as const satisfies Protocol;
