import { Button, Paper, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { Diagnostic } from '../../src/language/diagnostics.ts'
import { fixLabel } from './fix-label.ts'
import classes from './query.module.css'

const MOST = 6

/** What is wrong with what is written, in words, with the way there and the way out. */
export function ProblemList({
  problems,
  onJump,
  onFix,
}: {
  readonly problems: readonly Diagnostic[]
  readonly onJump: (line: number, column: number) => void
  readonly onFix: (problem: Diagnostic) => void
}) {
  if (problems.length === 0) return null
  return (
    <Paper withBorder p="xs" className={classes.problems} role="group" aria-label="What is wrong">
      <Stack gap={6}>
        {problems.slice(0, MOST).map(problem => (
          <div key={`${problem.offset}:${problem.code}`} className={classes.problem}>
            <IconAlertCircle size={16} className={classes.problemIcon} aria-hidden />
            <Stack gap={4} align="flex-start" className={classes.grow}>
              <UnstyledButton
                onClick={() => onJump(problem.line, problem.column)}
                className={classes.problemText}
              >
                <Text size="sm" span>
                  {problem.message}{' '}
                </Text>
                <Text size="xs" c="dimmed" span style={{ whiteSpace: 'nowrap' }}>
                  line {problem.line}, column {problem.column}
                </Text>
              </UnstyledButton>
              {problem.hint && (
                <Text size="xs" c="dimmed">
                  {problem.hint}
                </Text>
              )}
            </Stack>
            {problem.suggestion !== undefined && (
              <Button
                size="compact-xs"
                variant="light"
                onClick={() => onFix(problem)}
                className={classes.fix}
              >
                {fixLabel(problem.suggestion)}
              </Button>
            )}
          </div>
        ))}
        {problems.length > MOST && (
          <Text size="xs" c="dimmed">
            and {problems.length - MOST} more
          </Text>
        )}
      </Stack>
    </Paper>
  )
}
