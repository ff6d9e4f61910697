"""Commands about priority classes, pools and limits."""
