import { z } from "zod";

/** Ids that people choose inside a document: nodes, edges, agents, servers. */
export const idSchema = z.string().regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/);

/** Ids that the server mints: workspaces, runs, approvals, effects. */
export const uuidSchema = z.uuid();
