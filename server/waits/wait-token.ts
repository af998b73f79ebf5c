import { createHmac, randomBytes } from "node:crypto";
import { z } from "zod";
import { computeWaitTokenHash } from "@/lib/engine/decide/wait";
import { deriveId } from "@/server/derived-id";

/** `cwt_` and base64url of workspace, run and 32 secret bytes. */
const PREFIX = "cwt_";
const TOKEN = /^cwt_([\w-]{86})$/u;

type WaitPlace = { readonly workspaceId: string; readonly runId: string };

const toBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll("-", ""), "hex");

const formatToken = ({ workspaceId, runId }: WaitPlace, secret: Buffer): string =>
  `${PREFIX}${Buffer.concat([toBytes(workspaceId), toBytes(runId), secret]).toString("base64url")}`;

/** Derives the token from an account's key, so that a repeated request gets the same one. @param key base64url */
export const deriveWaitToken = (place: WaitPlace, key: string, command: string): string =>
  formatToken(place, createHmac("sha256", Buffer.from(key, "base64url")).update(`countersign wait token v2 ${command}`).digest());

export const generateWaitToken = (place: WaitPlace): string => formatToken(place, randomBytes(32));

const uuidOf = (hex: string): string | null =>
  z.uuid().safeParse(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, "$1-$2-$3-$4-$5")).data ?? null;

export const readWaitPlace = (token: string): WaitPlace | null => {
  const bytes = Buffer.from(TOKEN.exec(token)?.[1] ?? "", "base64url");
  const [workspaceId, runId] = [bytes.subarray(0, 16), bytes.subarray(16, 32)].map((part) => uuidOf(part.toString("hex")));

  return workspaceId && runId ? { workspaceId, runId } : null;
};

export const computeWaitTokenId = (token: string): string => deriveId({ wait: computeWaitTokenHash(token) });
