/** Runner-signed links by which one person rejects, sends back, comments or snoozes. The command id derives from it, so each is used once. */
import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { digestOf, type HexDigest } from "@/lib/hash";
import { ownMember, type Json } from "@/lib/json";
import { viaSchema, type Via } from "@/lib/engine/event";
import { decodeBase64Url, verifyDigest, type PublicKeys } from "@/lib/engine/ledger/signature";

export const REPLY_ACTIONS = ["reject", "request_changes", "comment"] as const;
export type ReplyAction = (typeof REPLY_ACTIONS)[number];
/** Snoozing is no command: it changes only the person's own list. */
export const LINK_ACTIONS = [...REPLY_ACTIONS, "snooze"] as const;
export type LinkAction = (typeof LINK_ACTIONS)[number];
/** A link that approves does nothing else. */
type LinkCommand = ReplyAction | "approve";

export type ReplyLink = {
  readonly workspace: string;
  readonly approval: string;
  readonly user: string;
  /** Of the person's view. */
  readonly view: HexDigest;
  readonly expires: number;
  readonly channel: Via;
  readonly approves?: true;
};

const UUID_BYTES = 16;
const DIGEST_BYTES = 32;
const TIME_BYTES = 6;
const SIGNATURE_BYTES = 64;
const LINK_BYTES = 3 * UUID_BYTES + DIGEST_BYTES + TIME_BYTES;
/** Appended to a link; links of e-mail have none, as before there were other channels. */
const MARKS = { mail: "", slack: "01", push: "02" } as const satisfies Record<Via, string>;
const APPROVES_MARK = "81";

const encode = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const uuidToHex = (uuid: string): string => uuid.replaceAll("-", "");

const hexToUuid = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");

const computeReplyDigest = ({ channel, ...link }: ReplyLink): HexDigest =>
  digestOf("reply", { ...link, ...(channel === "mail" ? {} : { channel }) });

/** @param sign the runner's */
export const createReplyToken = (link: ReplyLink, sign: (digest: HexDigest) => string): string => {
  const signature = decodeBase64Url(sign(computeReplyDigest(link)));
  if (signature?.length !== SIGNATURE_BYTES) throw new TypeError("not an Ed25519 signature");
  const { workspace, approval, user, view, expires, channel, approves } = link;
  if (approves && channel !== "slack") throw new TypeError("only Slack approves");
  const time = expires.toString(16).padStart(2 * TIME_BYTES, "0");
  const hex = [...[workspace, approval, user].map(uuidToHex), view, time, approves ? APPROVES_MARK : MARKS[channel]].join("");

  return encode(concatBytes(hexToBytes(hex), signature));
};

export const readReplyChannel = (token: string): Via => parse(token)?.link.channel ?? "mail";

type Parsed = { readonly link: ReplyLink; readonly signature: string };

const parse = (token: string): Parsed | null => {
  const bytes = decodeBase64Url(token);
  const linkBytes = (bytes?.length ?? 0) - SIGNATURE_BYTES;
  if (!bytes || linkBytes < LINK_BYTES) return null;
  const take = (at: number, length: number): string => bytesToHex(bytes.subarray(at, at + length));
  const [workspace = "", approval = "", user = ""] = [0, 1, 2].map((index) => hexToUuid(take(index * UUID_BYTES, UUID_BYTES)));
  const afterIds = 3 * UUID_BYTES;
  const mark = take(LINK_BYTES, linkBytes - LINK_BYTES);
  const approves = mark === APPROVES_MARK;
  const channel = approves ? "slack" : viaSchema.options.find((each) => MARKS[each] === mark);
  if (!channel) return null;

  return {
    link: {
      workspace,
      approval,
      user,
      view: take(afterIds, DIGEST_BYTES),
      expires: parseInt(take(afterIds + DIGEST_BYTES, TIME_BYTES), 16),
      channel,
      ...(approves ? { approves } : {}),
    },
    signature: encode(bytes.subarray(linkBytes)),
  };
};

/** Returns a token's link; null if forged or expired. */
export const verifyReplyToken = async (token: string, keys: PublicKeys, nowMs: number): Promise<ReplyLink | null> => {
  const parsed = parse(token);
  if (!parsed || nowMs >= parsed.link.expires * 1_000) return null;
  const digest = computeReplyDigest(parsed.link);
  for (const key of Object.values(keys)) {
    if (await verifyDigest(key, parsed.signature, digest)) return parsed.link;
  }

  return null;
};

export const readReplyBody = ({ approval, view, approves }: ReplyLink, body: Json): LinkCommand | null => {
  const of = (name: string): Json | undefined => ownMember(body, name);
  if (of("approval_id") !== approval) return null;
  if (of("kind") === "comment" && !approves) return "comment";

  if (of("kind") !== "decision" || of("view_digest") !== view) return null;
  const decision = of("decision");
  if (approves) return decision === "approve" ? decision : null;

  return decision === "reject" || decision === "request_changes" ? decision : null;
};

/** Derives the command id (UUID v8) shared by a person's links about a view. */
export const getReplyCommandId = ({ workspace, approval, user, view }: ReplyLink, action: LinkCommand): string => {
  const hex = digestOf("reply", { workspace, approval, user, view, action });

  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
};
