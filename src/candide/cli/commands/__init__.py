"""The subcommands, a file each; `candide.cli.app` loads the one that is asked for."""
