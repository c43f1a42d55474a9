# Who links to whom.
home news
home about
home shop
news home
news weather
weather news
about home
about team
team about
team home
shop home
shop cart
cart shop
blog home
blog news
