"""What a training reports to Danlu: `danlu.log` and the other functions for training code."""

from danlu.sdk.training.training import Resume, checkpoint, log, resume_from, should_stop

__all__ = ["Resume", "checkpoint", "log", "resume_from", "should_stop"]
