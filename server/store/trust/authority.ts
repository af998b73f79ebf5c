import {
  digestInForce,
  createAuthority,
  extendAuthority,
  type AuthorityFault,
  type WorkspaceAuthority,
} from "@/lib/engine/ledger/workspace-authority";
import type { AdminArea } from "@/lib/engine/events/workspace";
import { collectRetired, type SignedHandover } from "@/lib/engine/ledger/handover";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { HexDigest } from "@/lib/hash";
import type { Head } from "@/server/security/journal/entry";
import type { Journal } from "@/server/security/journal/journal";
import { getPool, runRead } from "@/server/db/client";
import { mergeCalls } from "@/lib/merge-calls";
import { recordRow } from "@/server/store/ledger/rows";
import { columnsOf, hideValue, queryRows, type SqlClient } from "@/server/store/sql/rows";

/** The ledger does not verify: nothing based on it can be decided. */
export class AuthorityUnverified extends Error {
  readonly workspaceId: string;
  readonly fault: AuthorityFault;

  constructor(workspaceId: string, fault: AuthorityFault, seq: number) {
    super(`the ledger of workspace ${workspaceId} is bad at record ${seq}: ${fault}`);
    this.name = "AuthorityUnverified";
    this.workspaceId = workspaceId;
    this.fault = fault;
  }
}

/** A row differs from the signed records. */
export class ProjectionMismatch extends Error {
  readonly workspaceId: string;
  readonly area: AdminArea;
  readonly subject: string;

  constructor(workspaceId: string, area: AdminArea, subject: string) {
    super(`the row of ${area} ${subject} in workspace ${workspaceId} is not what the signed records say`);
    this.name = "ProjectionMismatch";
    this.workspaceId = workspaceId;
    this.area = area;
    this.subject = subject;
  }
}

export const isAuthorityError = (error: unknown): error is AuthorityUnverified | ProjectionMismatch =>
  error instanceof AuthorityUnverified || error instanceof ProjectionMismatch;

const MOST_AT_ONCE = 2_000;

const readFrom = (client: SqlClient, workspaceId: string, seq: number): Promise<StoredRecord[]> =>
  queryRows(client, recordRow, {
    name: "authority",
    text: `select ${columnsOf(recordRow)} from ledger_record
     where workspace_id = ${hideValue("uuid", 1)} and run_id = ${hideValue("uuid", 2)} and seq >= ${hideValue("int", 3)} order by seq limit ${MOST_AT_ONCE}`,
    values: [workspaceId, getWorkspaceLedgerId(workspaceId), seq],
  });

export type AuthorityReader = {
  /** Returns the current authority. @throws AuthorityUnverified */
  readonly read: (workspaceId: string, client?: SqlClient) => Promise<WorkspaceAuthority>;
  /** Requires these settings to be in force. @throws ProjectionMismatch, AuthorityUnverified */
  readonly demand: (workspaceId: string, area: AdminArea, subject: string, digest: HexDigest, client?: SqlClient) => Promise<void>;
  /** Returns a row in force. @param digestOfRow null: grants nothing @throws ProjectionMismatch, AuthorityUnverified */
  readonly confirm: <T>(
    workspaceId: string,
    area: AdminArea,
    subject: string,
    readRow: () => Promise<T>,
    digestOfRow: (row: T) => HexDigest | null,
  ) => Promise<T>;
};

type Options = {
  readonly publicKeys: () => Promise<PublicKeys>;
  readonly handovers?: () => Promise<readonly SignedHandover[]>;
  /** `workspace`: under row-level security. */
  readonly scope?: "all" | "workspace";
  readonly onFault?: (error: AuthorityUnverified | ProjectionMismatch) => void;
  /** Outside the database. */
  readonly journal?: Pick<Journal, "headOf" | "noteHead">;
};

/** Creates a caching reader: a read costs one statement. */
export const createAuthorityReader = ({ publicKeys, handovers, scope = "all", onFault, journal }: Options): AuthorityReader => {
  const known = new Map<string, WorkspaceAuthority>();
  const fail = (error: AuthorityUnverified | ProjectionMismatch): never => {
    onFault?.(error);
    throw error;
  };
  const fetch = (workspaceId: string, seq: number, client: SqlClient | undefined): Promise<StoredRecord[]> => {
    if (client) return readFrom(client, workspaceId, seq);

    return scope === "all" ? readFrom(getPool(), workspaceId, seq) : runRead(workspaceId, (scoped) => readFrom(scoped, workspaceId, seq));
  };
  /** @param noted before the ledger was read, because other processes add to both */
  const settle = (authority: WorkspaceAuthority, noted: Head | null): WorkspaceAuthority => {
    const { workspace, version, head: digest } = authority;
    const before = known.get(workspace);
    if (before && before.version >= version) return authority;
    const isShorter = noted && (noted.version > version || (noted.version === version && noted.digest !== digest));
    if (isShorter) return fail(new AuthorityUnverified(workspace, "rolled_back", version));
    // Anyone can name workspaces that don't exist.
    if (version === 0) return authority;
    known.set(workspace, authority);
    journal?.noteHead(getWorkspaceLedgerId(workspace), { version, digest });

    return authority;
  };
  const readOn = async (workspaceId: string, client?: SqlClient): Promise<WorkspaceAuthority> => {
    const noted = client || known.has(workspaceId) ? null : ((await journal?.headOf(getWorkspaceLedgerId(workspaceId))) ?? null);
    let authority = known.get(workspaceId) ?? createAuthority(workspaceId);
    for (;;) {
      // The last known record detects its removal or replacement.
      const rows = await fetch(workspaceId, Math.max(0, authority.version - 1), client);
      const isKnown = authority.version > 0;
      if (isKnown && rows[0]?.digest !== authority.head) fail(new AuthorityUnverified(workspaceId, "rolled_back", authority.version - 1));
      const next = isKnown ? rows.slice(1) : rows;
      // Uncommitted writes are not noted.
      if (next.length === 0) return client ? authority : settle(authority, noted);
      const [keys, statements] = await Promise.all([publicKeys(), handovers?.() ?? []]);
      const extended = await extendAuthority(authority, next, keys, await collectRetired(statements, keys));
      if (!extended.ok) return fail(new AuthorityUnverified(workspaceId, extended.fault, extended.seq));
      ({ authority } = extended);
      if (rows.length < MOST_AT_ONCE) return client ? authority : settle(authority, noted);
    }
  };

  const readShared = mergeCalls((workspaceId) => readOn(workspaceId));
  const read: AuthorityReader["read"] = (workspaceId, client) => (client ? readOn(workspaceId, client) : readShared(workspaceId));

  return {
    read,
    demand: async (workspaceId, area, subject, digest, client) => {
      if (digestInForce(await read(workspaceId, client), area, subject) !== digest)
        fail(new ProjectionMismatch(workspaceId, area, subject));
    },
    confirm: async (workspaceId, area, subject, readRow, digestOfRow) => {
      let before: number | null = null;
      for (;;) {
        const authority = await read(workspaceId);
        const row = await readRow();
        if (digestOfRow(row) === digestInForce(authority, area, subject)) return row;
        // A change between the two reads changes the version.
        if (before === authority.version) return fail(new ProjectionMismatch(workspaceId, area, subject));
        before = authority.version;
      }
    },
  };
};
