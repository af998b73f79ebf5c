import { z } from "zod";

/** Ids chosen by people: nodes, edges, agents, servers. */
export const idSchema = z.string().regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/);

/** Ids minted by the server: workspaces, runs, approvals, effects. */
export const uuidSchema = z.uuid();
