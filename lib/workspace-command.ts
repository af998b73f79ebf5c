import type { PolicyCommand } from "@/lib/approval-policy/command";
import type { PublishCommand } from "@/lib/architect/publish-command";
import type { CheckpointCommand } from "@/lib/engine/ledger/checkpoint";
import type { AttestCommand } from "@/lib/engine/ledger/head-statement";
import type { EnvironmentCommand } from "@/lib/environments/command";
import type { PromotionCommand } from "@/lib/environments/promotion";
import type { FactCommand } from "@/lib/facts/command";
import type { PasskeyCommand } from "@/lib/engine/ledger/passkey-ledger";
import type { ShredCommand } from "@/lib/engine/ledger/shred";
import type { ModelsCommand } from "@/lib/model-change";
import type { TokenCommand } from "@/lib/outside/token-command";
import type { AccountCommand } from "@/lib/notifications/account";
import type { BrowserCommand } from "@/lib/notifications/browser";
import type { StopCommand } from "@/lib/stop/command";
import type { AlarmCommand } from "@/lib/trust-alarm";
import type { ApproverCommand } from "@/lib/people/approver-command";
import type { DirectoryCommand } from "@/lib/people/directory-command";
import type { ProvisionCommand } from "@/lib/people/provision-command";
import type { PeopleCommand } from "@/lib/people/command";
import type { OutputsCommand } from "@/lib/webhooks/outputs";
import type { FoundCommand, JoinCommand, PasswordCommand } from "@/lib/people/membership";

export type WorkspaceCommand =
  | AccountCommand
  | BrowserCommand
  | ShredCommand
  | ApproverCommand
  | AttestCommand
  | CheckpointCommand
  | DirectoryCommand
  | FactCommand
  | PasskeyCommand
  | ModelsCommand
  | PeopleCommand
  | ProvisionCommand
  | FoundCommand
  | JoinCommand
  | PasswordCommand
  | AlarmCommand
  | PolicyCommand
  | PublishCommand
  | StopCommand
  | EnvironmentCommand
  | PromotionCommand
  | TokenCommand
  | OutputsCommand;
