-- Nothing of a workspace changes once it is there; whether it is the demo decides who may be made a member of it.
REVOKE UPDATE ON "workspace" FROM countersign_web;
