import type { Report } from "./attack";
import { findForgedDecisions } from "./facts";
import { findNotice } from "./noticing";
import type { World } from "./world";

/** Reports an attack. @param succeeded as its program found */
export const reportOutcome = async (world: World, succeeded: boolean): Promise<Report> => ({
  succeeded,
  noticedAs: await findNotice(world),
});

/** Reports attacks on money or names: success is an unapproved payment, or a valid ledger with a false name. */
export const reportPayments = async (world: World, allowed = 0): Promise<Report> =>
  reportOutcome(world, world.countPayments() > allowed || (await findForgedDecisions(world)).length > 0);
