/** Types of the parts that tests use; the package has none. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  type Account = { accountId: string; claims: () => Record<string, unknown> };

  export class Provider {
    constructor(
      issuer: string,
      configuration: Record<string, unknown> & { findAccount: (context: unknown, id: string) => Account | undefined },
    );
    callback(): RequestListener;
  }
}
