/**
 * A command of `forage`, declared as data: the parser, `--help` and docs/command-line.md come from it. All of them are
 * loaded at every start, so what one needs to run it imports when it runs.
 */
export interface CliOption {
  readonly name: string
  /** Without it the option is a switch. */
  readonly value?: string
  readonly meaning: string
}

export interface CliArgument {
  readonly name: string
  readonly optional?: true
  readonly meaning: string
}

export interface CliExample {
  readonly line: string
  readonly meaning: string
}

export interface CliCommand {
  /** As it is typed, `key create` included. */
  readonly name: string
  readonly summary: string
  /** Further paragraphs of its help. */
  readonly description?: string
  readonly arguments?: readonly CliArgument[]
  readonly options?: readonly CliOption[]
  readonly examples: readonly CliExample[]
  /** Gives the exit code. */
  run(call: CliCall): Promise<number>
}

export interface CliCall {
  readonly arguments: Readonly<Record<string, string | undefined>>
  readonly options: Readonly<Record<string, string | boolean | undefined>>
  readonly env: NodeJS.ProcessEnv
  print(text: string): void
}
