"""The run queue: training runs with budgets, at idle priority, that survive being stopped at any moment."""
