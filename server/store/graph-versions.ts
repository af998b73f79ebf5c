/** Published versions: immutable, named by the digest of their canonical JSON, numbered per graph. */
import { z } from "zod";
import { publishedGraphSchema, type PublishedGraph } from "@/lib/graph/document";
import { digestOf, type HexDigest } from "@/lib/hash";
import { canonicalJson, type Json } from "@/lib/json";
import { inWorkspace } from "@/server/db/client";

export type GraphVersionRow = {
  readonly hash: HexDigest;
  readonly graphId: string;
  readonly number: number;
  readonly authorId: string;
  /** Milliseconds since 1970. */
  readonly publishedAt: number;
};

export type StoredVersion = GraphVersionRow & { readonly published: PublishedGraph };

const row = { hash: true, graphId: true, number: true, authorId: true, publishedAt: true } as const;

const readRow = (found: Omit<GraphVersionRow, "publishedAt"> & { readonly publishedAt: Date }): GraphVersionRow => ({
  hash: found.hash,
  graphId: found.graphId,
  number: found.number,
  authorId: found.authorId,
  publishedAt: found.publishedAt.getTime(),
});

/** The document as plain JSON: optional fields that are not set are not there, as after any reading from the store. */
const plain = (published: PublishedGraph): Json => z.json().parse(JSON.parse(JSON.stringify(publishedGraphSchema.parse(published))));

/** The name of a version: runs, approvals and records refer to it by this. */
export const versionHash = (published: PublishedGraph): HexDigest => digestOf("graph", plain(published));

/**
 * Freezes a version. Publishing the same content again returns the version that exists, whoever published it.
 * @param publish `graphId` must be a graph of the workspace
 */
export const publishVersion = (
  workspaceId: string,
  publish: { readonly graphId: string; readonly published: PublishedGraph; readonly authorId: string },
): Promise<GraphVersionRow> =>
  inWorkspace(workspaceId, async (tx) => {
    const document = plain(publish.published);
    const hash = digestOf("graph", document);
    // Two publishes of one graph take turns, so that numbers have no gap and no double.
    await tx.$queryRaw`select 1 from graph where workspace_id = ${workspaceId}::uuid and id = ${publish.graphId}::uuid for update`;
    const existing = await tx.graphVersion.findUnique({ where: { workspaceId_hash: { workspaceId, hash } }, select: row });
    if (existing) return readRow(existing);
    const last = await tx.graphVersion.findFirst({
      where: { workspaceId, graphId: publish.graphId },
      orderBy: { number: "desc" },
      select: { number: true },
    });

    return readRow(
      await tx.graphVersion.create({
        data: {
          workspaceId,
          hash,
          graphId: publish.graphId,
          number: (last?.number ?? 0) + 1,
          document: canonicalJson(document),
          authorId: publish.authorId,
        },
        select: row,
      }),
    );
  });

export type ListedVersion = GraphVersionRow & { readonly authorName: string };

const MAX_VERSIONS = 200;

/** Newest first. */
export const listVersions = (workspaceId: string, graphId: string): Promise<readonly ListedVersion[]> =>
  inWorkspace(workspaceId, async (tx) => {
    const rows = await tx.graphVersion.findMany({
      where: { workspaceId, graphId },
      orderBy: { number: "desc" },
      take: MAX_VERSIONS,
      select: row,
    });
    const authors = await tx.user.findMany({
      where: { id: { in: [...new Set(rows.map((found) => found.authorId))] } },
      select: { id: true, name: true },
    });
    const names = new Map(authors.map((author) => [author.id, author.name]));

    return rows.map((found) => ({ ...readRow(found), authorName: names.get(found.authorId) ?? "" }));
  });

/**
 * A version by its hash, or null. The text is checked against its name, so a changed row is a fault and not a graph.
 * @throws Error when what is stored is not what the hash names
 */
export const getVersion = (workspaceId: string, hash: string): Promise<StoredVersion | null> =>
  inWorkspace(workspaceId, async (tx) => {
    const found = await tx.graphVersion.findUnique({ where: { workspaceId_hash: { workspaceId, hash } } });
    if (!found) return null;
    const json: Json = z.json().parse(JSON.parse(found.document));
    if (digestOf("graph", json) !== hash) throw new Error(`the stored graph version ${hash} is not what its hash names`);

    return { ...readRow(found), published: publishedGraphSchema.parse(json) };
  });
