/** Chunks come first: a row means a complete file. */
import { z } from "zod";
import { getArtifactSource, type Artifact } from "@/lib/artifact";
import { getDatabase, getPool, runInWorkspace, scopeToWorkspace } from "@/server/db/client";
import { columnsOf, execute, queryRow, queryRows } from "@/server/store/sql/rows";

type Place = { readonly workspaceId: string; readonly id: string };

type NewArtifact = Place & {
  readonly artifact: Artifact;
  readonly chunks: number;
  readonly wrappedKey: Uint8Array<ArrayBuffer>;
  readonly givenBy: string;
};

/** Includes broken uploads. */
export const countArtifactBytes = async (workspaceId: string): Promise<number> =>
  (await scopeToWorkspace(workspaceId).artifactChunk.aggregate({ where: { workspaceId }, _sum: { size: true } }))._sum.size ?? 0;

export const insertChunk = async (
  { workspaceId, id }: Place,
  { index, size, sealed }: { readonly index: number; readonly size: number; readonly sealed: Uint8Array<ArrayBuffer> },
): Promise<void> => {
  await runInWorkspace(
    workspaceId,
    (tx) => tx.$executeRaw`
      insert into artifact_chunk (workspace_id, artifact_id, index, size, sealed)
      values (${workspaceId}::uuid, ${id}::uuid, ${index}, ${size}, ${sealed})`,
  );
};

/** @returns false beyond `mostBytes` */
export const insertArtifact = (
  { workspaceId, id, artifact, chunks, wrappedKey, givenBy }: NewArtifact,
  mostBytes: number,
): Promise<boolean> =>
  runInWorkspace(workspaceId, async (tx) => {
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('countersign.artifacts ' || ${workspaceId}))`;
    const { size } = artifact;
    const inserted = await tx.$executeRaw`
      insert into artifact (workspace_id, id, source, size, chunks, wrapped_key, given_by)
      select ${workspaceId}::uuid, ${id}::uuid, ${getArtifactSource(artifact)}, ${size}, ${chunks}, ${wrappedKey}, ${givenBy}::uuid
      where (select coalesce(sum(size), 0) from artifact where workspace_id = ${workspaceId}::uuid) + ${size} <= ${mostBytes}`;

    return inserted === 1;
  });

const STORED = { workspaceId: true, id: true, chunks: true, wrappedKey: true } as const;
export type StoredArtifact = {
  readonly workspaceId: string;
  readonly id: string;
  readonly chunks: number;
  readonly wrappedKey: Uint8Array;
};

/** The caller decides who may read it. */
export const findArtifact = (workspaceId: string, artifact: Artifact): Promise<StoredArtifact | null> =>
  scopeToWorkspace(workspaceId).artifact.findFirst({
    where: { workspaceId, source: getArtifactSource(artifact) },
    orderBy: { createdAt: "asc" },
    select: STORED,
  });

export const findChunk = async ({ workspaceId, id }: Place, index: number): Promise<Uint8Array | null> =>
  (await scopeToWorkspace(workspaceId).artifactChunk.findFirst({ where: { workspaceId, artifactId: id, index }, select: { sealed: true } }))
    ?.sealed ?? null;

/** A start must not race the deletion. */
const USABLE_HOURS = 23;
const UNUSED_HOURS = 24;
const BROKEN_OFF_HOURS = 1;

const NAMING = `select 1 from cell where label like '%"file:%' and artifact_sources(label) @> array[a.source] and cell.workspace_id = a.workspace_id`;
const IN_USE = `exists (${NAMING} and octet_length(sealed) > 0)`;

const foundRow = z.object({ found: z.boolean() });

/** Runner's role only, like all below. */
export const wasGiven = async (workspaceId: string, givenBy: string, artifact: Artifact): Promise<boolean> => {
  const row = await queryRow(getPool(), foundRow, {
    text: `select exists (select 1 from artifact a where workspace_id = $1 and given_by = $2 and source = $3
      and (created_at > now() - make_interval(hours => $4) or ${IN_USE})) as found`,
    values: [workspaceId, givenBy, getArtifactSource(artifact), USABLE_HOURS],
  });

  return row?.found === true;
};

/** Deletes unused and shredded files, and broken uploads. */
export const deleteUnusedArtifacts = async (limit: number): Promise<number> => {
  const deleted = await execute(getPool(), {
    text: `delete from artifact where id in (
        select id from artifact a where not ${IN_USE} and (created_at < now() - make_interval(hours => $1) or exists (${NAMING}))
        limit $2)`,
    values: [UNUSED_HOURS, limit],
  });
  await execute(getPool(), {
    text: `delete from artifact_chunk c where not exists (select 1 from artifact a where a.id = c.artifact_id)
      and created_at < now() - make_interval(hours => $1)`,
    values: [BROKEN_OFF_HOURS],
  });

  return deleted;
};

const wrappedRow = z.object({ workspace: z.uuid(), id: z.uuid(), source: z.string(), wrappedKey: z.instanceof(Uint8Array) });

export const listOlderFileKeys = (version: number, after: string | null, limit: number) =>
  queryRows(getPool(), wrappedRow, {
    text: `select ${columnsOf(wrappedRow, { workspace: "workspace_id" })} from artifact
      where vault_version(wrapped_key) < $1 and ($2::uuid is null or id > $2::uuid) order by id limit $3`,
    values: [version, after, limit],
  });

export const storeFileKey = async (id: string, wrappedKey: Uint8Array<ArrayBuffer>): Promise<void> => {
  await getDatabase().artifact.updateMany({ where: { id }, data: { wrappedKey } });
};
